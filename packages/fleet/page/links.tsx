import type { ComponentChildren, VNode } from "preact";
import { ShownText } from "../../../src/web/page/parts/shown-text.tsx";
import { go } from "./place.ts";

/** A link to another address of this page. */
export function Link({
  to,
  current = false,
  children,
}: {
  to: string;
  current?: boolean;
  children: ComponentChildren;
}): VNode {
  const follow = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={to} onClick={follow} {...(current ? { "aria-current": "page" as const } : {})}>
      {children}
    </a>
  );
}

/** A link to a code host. Any other address is shown as text. */
export function HostLink({ to, text }: { to: string | null; text: string }): VNode {
  if (!to?.startsWith("https://")) return <ShownText text={text} />;
  return (
    <a href={to} rel="noreferrer noopener" target="_blank">
      <ShownText text={text} />
    </a>
  );
}
