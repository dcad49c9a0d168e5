/** A response of the server. Status 0: the server did not respond. */
export type ApiResponse<T> = { readonly status: number; readonly value: T };

export type Connection = {
  get<T>(path: string): Promise<ApiResponse<T>>;
  post<T>(path: string, body: unknown): Promise<ApiResponse<T>>;
  /** Receives events until the returned function is called. `onState` says whether the server responds. */
  listen(onEvent: (event: unknown) => void, onState: (connected: boolean) => void): () => void;
};

/** Takes the token from the fragment of the address. It is stored for this tab only and removed from the address. */
export function takeToken(): string | null {
  const given = location.hash.slice(1);
  if (given !== "") {
    sessionStorage.setItem("token", given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem("token");
}

/**
 * Connects to the server of this page, after the server has proved that it knows the token. Without a token, the cookie of
 * a session identifies the person, and TLS the server.
 */
export function openConnection(token: string | null): Connection {
  let proved: Promise<boolean> | null = null;
  const isOurs = (): Promise<boolean> =>
    (proved ??= token === null ? Promise.resolve(true) : verifyServer(token));
  const credentials = token === null ? "same-origin" : "omit";
  const authorization: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };

  const ask = async <T>(path: string, init: RequestInit = {}): Promise<ApiResponse<T>> => {
    try {
      if (!(await isOurs())) {
        proved = null;
        return { status: 0, value: undefined as T };
      }
      const response = await fetch(path, {
        ...init,
        headers: { ...init.headers, ...authorization },
        cache: "no-store",
        credentials,
        redirect: "error",
      });
      const text = await response.text();
      return { status: response.status, value: (text === "" ? undefined : JSON.parse(text)) as T };
    } catch {
      proved = null;
      return { status: 0, value: undefined as T };
    }
  };

  return {
    get: (path) => ask(path),
    post: (path, body) =>
      ask(path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }),
    listen: (onEvent, onState) => {
      const stop = new AbortController();
      void (async () => {
        while (!stop.signal.aborted) {
          const heard = await hear(stop.signal, onEvent, () => onState(true));
          if (stop.signal.aborted) return;
          if (!heard) onState(false);
          proved = null;
          await new Promise((resolve) => setTimeout(resolve, 1500));
        }
      })();
      return () => stop.abort();
    },
  };

  /** Reads events until the stream ends. */
  async function hear(
    signal: AbortSignal,
    onEvent: (event: unknown) => void,
    onOpen: () => void,
  ): Promise<boolean> {
    try {
      if (!(await isOurs())) return false;
      const headers = { ...authorization, Accept: "text/event-stream" };
      const response = await fetch("/api/events", { headers, signal, cache: "no-store", credentials });
      if (!response.ok || !response.body) return false;
      onOpen();
      let rest = "";
      for await (const piece of pieces(response.body)) {
        const events = (rest + piece).split("\n\n");
        rest = events.pop()!;
        for (const event of events)
          if (event.startsWith("data: ")) onEvent(JSON.parse(event.slice("data: ".length)));
      }
      return false;
    } catch {
      return false;
    }
  }
}

async function* pieces(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}

/** Another program may have taken the port. Only a server with the token can sign the challenge. */
async function verifyServer(token: string): Promise<boolean> {
  const hex = (bytes: Uint8Array): string =>
    Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const challenge = hex(crypto.getRandomValues(new Uint8Array(32)));
  const response = await fetch("/api/run", {
    headers: { "Suture-Challenge": challenge },
    cache: "no-store",
    credentials: "omit",
    redirect: "error",
  });
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey(
    "raw",
    encoder.encode(token),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const signed = await crypto.subtle.sign("HMAC", key, encoder.encode(`suture:${challenge}`));
  return response.headers.get("Suture-Proof") === hex(new Uint8Array(signed));
}
