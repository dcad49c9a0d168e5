import { render } from "preact";
import { App } from "./app.tsx";
import { openSource } from "./source.ts";
import { Store } from "./store.ts";

const source = openSource();
const page = document.getElementById("page")!;
if (source) render(<App store={new Store(source)} />, page);
else
  render(
    <main class="alone">
      <h1>Suture review</h1>
      <p>
        This address lacks its secret. Open the one that <code>suture review</code> printed.
      </p>
    </main>,
    page,
  );
