/**
 * @typedef {object} FetchOptions
 * @property {string} query What to add to the address.
 */

/** Fetches the tides of a harbour. */
export function fetchTides(harbour, { query = "", timeout = 1000 } = {}) {
  return send(`${harbour}?${query}`, timeout);
}

function send(address, timeout) {
  return fetch(address, { signal: AbortSignal.timeout(timeout) });
}
