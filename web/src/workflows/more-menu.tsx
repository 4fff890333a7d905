import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct, useOrg } from '../call/use-call.ts';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Refusal } from '../ui/refusal.tsx';
import type { Workflow } from './graph/graph.ts';
import type { WorkflowDraft } from './model/use-workflow-draft.ts';

interface MoreMenuProps {
  readonly workflow: Workflow;
  readonly draft: WorkflowDraft;
}

export function MoreMenu({ workflow, draft }: MoreMenuProps) {
  const [opened, setOpened] = useState<'name' | 'delete' | 'call'>();
  const whyNot = useWhyNot();
  const close = (): void => setOpened(undefined);
  const item = (which: 'name' | 'delete', operation: 'update_workflow' | 'delete_workflow') => ({
    disabled: whyNot(operation) !== undefined,
    title: whyNot(operation),
    onClick: () => setOpened(which),
  });
  return (
    <>
      <Menu align="end" trigger={<Button kind="ghost" size="s" icon="more" aria-label="More" />}>
        <MenuItem icon="edit" {...item('name', 'update_workflow')}>
          Rename
        </MenuItem>
        <MenuItem icon="code" onClick={() => setOpened('call')}>
          Copy as a call
        </MenuItem>
        <MenuItem icon="trash" {...item('delete', 'delete_workflow')}>
          Delete
        </MenuItem>
      </Menu>
      <Rename workflow={workflow} draft={draft} open={opened === 'name'} onClose={close} />
      <Delete workflow={workflow} open={opened === 'delete'} onClose={close} />
      <Dialog
        open={opened === 'call'}
        onClose={close}
        title="Copy as a call"
        footer={<Button onClick={close}>Close</Button>}
      >
        <CopyAsCall operation="get_workflow" input={{ workflow_id: workflow.id }} />
      </Dialog>
    </>
  );
}

interface AskedProps {
  readonly workflow: Workflow;
  readonly open: boolean;
  readonly onClose: () => void;
}

function Rename({ workflow, draft, open, onClose }: AskedProps & { readonly draft: WorkflowDraft }) {
  const [name, setName] = useState(workflow.name);
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="Rename this workflow"
      verb="Rename"
      busy={false}
      problem={null}
      fields={[]}
      onSubmit={() => {
        if (name.trim() === '') return;
        draft.rename(name.trim());
        void draft.saveNow();
        onClose();
      }}
    >
      <Field label="Name">
        {(ids) => <Input {...ids} value={name} onChange={({ target: { value } }) => setName(value)} />}
      </Field>
    </FormDialog>
  );
}

/** It cannot be taken back, so it asks. The service keeps one that people went through. */
function Delete({ workflow, open, onClose }: AskedProps) {
  const org = useOrg();
  const navigate = useNavigate();
  const remove = useAct('delete_workflow', ['list_workflows']);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Delete “${workflow.name}”?`}
      footer={
        <span className="row end">
          <Button kind="ghost" onClick={onClose}>
            Keep it
          </Button>
          <Button
            kind="danger"
            busy={remove.isPending && 'Deleting'}
            onClick={() =>
              void remove.mutateAsync({ workflow_id: workflow.id }).then(
                () => navigate({ to: '/o/$org/workflows', params: { org } }),
                () => undefined,
              )
            }
          >
            Delete
          </Button>
        </span>
      }
    >
      <p className="muted">The draft and its versions go for good. One that people went through is kept.</p>
      <Refusal problem={remove.error} />
    </Dialog>
  );
}
