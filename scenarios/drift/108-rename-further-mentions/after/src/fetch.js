/**
 * @typedef {object} FetchOptions
 * @property {string} searchParams What to add to the address.
 */

/** Fetches the tides of a harbour. */
export function fetchTides(harbour, { searchParams = "", timeout = 1000 } = {}) {
  return send(`${harbour}?${searchParams}`, timeout);
}

function send(address, timeout) {
  return fetch(address, { signal: AbortSignal.timeout(timeout) });
}
