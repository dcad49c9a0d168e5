import { render } from "preact";
import type { ViewerView } from "../../../fleet/serve/view.ts";
import { openConnection, takeToken } from "../connection.ts";
import { Entrance } from "./entrance.tsx";
import { Fleet } from "./fleet.tsx";

const page = document.getElementById("page")!;
const token = takeToken();
const connection = openConnection(token);
const me = await connection.get<ViewerView>("/api/me");
const about = await openConnection(null).get<{ signIn: boolean }>("/auth/about");

if (me.status === 200) render(<Fleet connection={connection} viewer={me.value} />, page);
else render(<Entrance signIn={about.value?.signIn === true} isRefused={token !== null} />, page);
