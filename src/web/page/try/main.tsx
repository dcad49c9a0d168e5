import { render } from "preact";
import { TryPage } from "./try-page.tsx";

render(<TryPage />, document.getElementById("page")!);
