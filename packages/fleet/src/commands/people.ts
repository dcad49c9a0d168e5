import { type Call, decline, exit, numberOf, usageError } from "suture/service";
import { listActions } from "../people/actions.ts";
import { grantRole, listMembers, revokeRole } from "../people/members.ts";
import { everyOrganisation, isRole, roles } from "../people/viewer.ts";
import { fleetMessages } from "../wording/messages.ts";
import { remarkUnknown } from "./place.ts";
import { withFleet } from "./with-fleet.ts";

/** `fleet grant EMAIL|group:NAME ROLE [ORG]` */
export function grant(call: Call): Promise<number> {
  const [name, role = "", organisation = everyOrganisation] = call.operands;
  if (name === undefined || !isRole(role))
    return Promise.resolve(
      usageError(call.terminal, `usage: suture fleet grant EMAIL|group:NAME ${roles.join("|")} [ORG]`),
    );
  return withFleet(call, async (fleet) => {
    await grantRole(fleet.query, { name, role, organisation });
    const granted = { name, role, organisation };
    if (organisation !== everyOrganisation) await remarkUnknown(call, fleet, organisation);
    if (call.terminal.json) call.terminal.printJson({ success: true, granted });
    else call.terminal.print(fleetMessages.granted(granted));
    return exit.done;
  });
}

/** `fleet revoke EMAIL|group:NAME [ORG]` */
export function revoke(call: Call): Promise<number> {
  const [name, organisation = everyOrganisation] = call.operands;
  if (name === undefined)
    return Promise.resolve(usageError(call.terminal, "usage: suture fleet revoke EMAIL|group:NAME [ORG]"));
  return withFleet(call, async (fleet) => {
    if (!(await revokeRole(fleet.query, { name, organisation })))
      return decline(call.terminal, "fleet", {
        code: "malformed",
        what: `${name} has no role in ${fleetMessages.organisationNamed(organisation)}`,
      });
    if (call.terminal.json) call.terminal.printJson({ success: true, revoked: { name, organisation } });
    else call.terminal.print(fleetMessages.revoked({ name, organisation }));
    return exit.done;
  });
}

/** `fleet members`: every role. */
export function members(call: Call): Promise<number> {
  return withFleet(call, async (fleet) => {
    const all = await listMembers(fleet.query);
    if (call.terminal.json) call.terminal.printJson(all);
    else for (const member of all) call.terminal.print(fleetMessages.member(member));
    if (all.length === 0) call.terminal.remark(fleetMessages.noMembers);
    return exit.done;
  });
}

/** `fleet audit [TEXT]`: who did what, newest first. */
export function audit(call: Call): Promise<number> {
  return withFleet(call, async (fleet) => {
    const most = numberOf(call.options, "most") ?? 100;
    const all = await listActions(fleet.query, { text: call.operands.join(" "), most });
    if (call.terminal.json) call.terminal.printJson(all);
    else for (const action of all) call.terminal.print(fleetMessages.action(action));
    if (all.length === 0) call.terminal.remark(fleetMessages.noActions);
    return exit.done;
  });
}
