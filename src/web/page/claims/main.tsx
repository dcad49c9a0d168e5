import { render } from "preact";
import type { ClaimsView } from "../../claims/view.ts";
import { ClaimsPage } from "./claims-page.tsx";

const data = document.getElementById("run");
if (data)
  render(
    <ClaimsPage view={JSON.parse(data.textContent ?? "") as ClaimsView} />,
    document.getElementById("page")!,
  );
