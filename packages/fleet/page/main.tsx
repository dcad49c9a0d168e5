import { render } from "preact";
import { openConnection, takeToken } from "../../../src/web/page/connection.ts";
import type { ViewerView } from "../src/serve/view.ts";
import { Entrance } from "./entrance.tsx";
import { Fleet } from "./fleet.tsx";

const page = document.getElementById("page")!;
const token = takeToken();
const connection = openConnection(token);
const me = await connection.get<ViewerView>("/api/me");
const about = await openConnection(null).get<{ signIn: boolean }>("/auth/about");

if (me.status === 200) render(<Fleet connection={connection} viewer={me.value} />, page);
else render(<Entrance signIn={about.value?.signIn === true} isRefused={token !== null} />, page);
