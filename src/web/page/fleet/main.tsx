import { render } from "preact";
import type { ViewerView } from "../../../fleet/serve/view.ts";
import { openConnection, takeToken } from "../connection.ts";
import { Fleet } from "./fleet.tsx";

const page = document.getElementById("page")!;
const connection = openConnection(takeToken());
const me = await connection.get<ViewerView>("/api/me");
const about = await connection.get<{ signIn: boolean }>("/auth/about");

if (me.status === 200) render(<Fleet connection={connection} viewer={me.value} />, page);
else
  render(
    <main class="alone">
      <h1>Suture fleet</h1>
      {about.value?.signIn ? (
        <p>
          <a href={`/auth/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`}>Sign in</a>
        </p>
      ) : (
        <p>
          This address lacks its secret. Open the one that <code>suture fleet run</code> printed.
        </p>
      )}
    </main>,
    page,
  );
