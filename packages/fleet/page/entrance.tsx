import type { VNode } from "preact";

/** What a person without a session sees: the sign-in, and a field for the token. */
export function Entrance({ signIn, isRefused }: { signIn: boolean; isRefused: boolean }): VNode {
  return (
    <main class="alone">
      <h1>Suture fleet</h1>
      {signIn && (
        <p>
          <a href={`/auth/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`}>Sign in</a>
        </p>
      )}
      {isRefused && <p role="alert">The server does not know this token.</p>}
      <form class="entrance" onSubmit={openWithToken}>
        <label>
          Token <input type="password" name="token" autocomplete="off" required />
        </label>
        <button type="submit">Open</button>
      </form>
      <p class="muted">
        It is in <code>SUTURE_FLEET_TOKEN</code>, or in the file that <code>suture fleet run</code> named.
      </p>
    </main>
  );
}

/** The part of an address after `#` is not sent to any server. The page takes the token from there, and removes it. */
function openWithToken(event: SubmitEvent): void {
  event.preventDefault();
  const given = new FormData(event.currentTarget as HTMLFormElement).get("token");
  history.replaceState(null, "", `${location.pathname}${location.search}#${String(given).trim()}`);
  location.reload();
}
