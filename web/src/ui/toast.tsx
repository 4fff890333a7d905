import { Toast as Base } from '@base-ui/react/toast';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import './floating.css';

const shownMs = 10_000;

/** One at a time: what is said replaces what was said before it. */
const id = 'said';

/** Says that something is done, with its undo where there is one. Never an error that needs an answer. */
export function useToast(): (said: string, undo?: () => void) => void {
  const { add, close } = Base.useToastManager();
  return (said, undo) => {
    const onClick = () => {
      close(id);
      undo?.();
    };
    add({
      id,
      title: said,
      timeout: shownMs,
      actionProps: undo === undefined ? undefined : { children: 'Undo', onClick },
    });
  };
}

export const Toasts = ({ children }: { readonly children: ReactNode }) => (
  <Base.Provider>
    {children}
    <Base.Portal>
      <Base.Viewport className="toasts">
        <List />
      </Base.Viewport>
    </Base.Portal>
  </Base.Provider>
);

function List() {
  const { toasts } = Base.useToastManager();
  return toasts.map((toast) => (
    <Base.Root key={toast.id} toast={toast} className="toast">
      <Icon name="good" />
      <Base.Title className="grow" render={<p />} />
      <Base.Action className="btn ghost s" />
      <Base.Close className="btn ghost icon s" aria-label="Close">
        <Icon name="close" small />
      </Base.Close>
    </Base.Root>
  ));
}
