import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";

export type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
};

/** A modal dialog. Escape closes it; the focus stays inside. */
export function Dialog({ title, onClose, wide = false, children }: DialogProps): VNode {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = box.current!;
    element.showModal();
    return () => element.close();
  }, []);
  return (
    <dialog
      ref={box}
      class={wide ? "wide" : ""}
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}
