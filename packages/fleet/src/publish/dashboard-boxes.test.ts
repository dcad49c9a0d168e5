import { expect, test } from "vitest";
import { dashboardMarker, isTicked, readTicks } from "./dashboard-boxes.ts";

const id = "rename-0123456789abcdef";
const none = { approve: [], dismiss: [], restore: [], recheck: false };

test.each([
  ["an approval", `- [x] <!-- suture:approve ${id} --> docs/a.md`, { ...none, approve: [id] }],
  ["a dismissal, with a capital letter", `- [X] <!-- suture:dismiss ${id} --> a`, { ...none, dismiss: [id] }],
  ["a wish to propose it again", `- [x] <!-- suture:restore ${id} --> a`, { ...none, restore: [id] }],
  ["a check", "- [x] <!-- suture:recheck --> Check", { ...none, recheck: true }],
  ["line ends of another system", `a\r\n- [x] <!-- suture:approve ${id} -->\r\n`, { ...none, approve: [id] }],
  ["the same box twice", `- [x] <!-- suture:approve ${id} -->\n`.repeat(2), { ...none, approve: [id] }],
  ["an empty box", `- [ ] <!-- suture:approve ${id} -->`, none],
  ["another id", "- [x] <!-- suture:approve ../../etc -->", none],
  ["a box inside a line", `text - [x] <!-- suture:approve ${id} -->`, none],
])("a dashboard is read: %s", (_, line, wanted) => {
  const text = `${dashboardMarker}\n${line}`;
  expect(readTicks(text)).toEqual(wanted);
  expect(isTicked(text)).toBe(wanted !== none);
});

test("an issue that is no dashboard has no boxes", () => {
  expect(readTicks(`Hello\n${dashboardMarker}\n- [x] <!-- suture:recheck -->`)).toEqual(none);
});
