import { render } from "preact";
import { openConnection, takeToken } from "../connection.ts";
import { Fleet } from "./fleet.tsx";

const token = takeToken();
const page = document.getElementById("page")!;
if (token !== null) render(<Fleet connection={openConnection(token)} />, page);
else
  render(
    <main class="alone">
      <h1>Suture fleet</h1>
      <p>
        This address lacks its secret. Open the one that <code>suture fleet run</code> printed.
      </p>
    </main>,
    page,
  );
