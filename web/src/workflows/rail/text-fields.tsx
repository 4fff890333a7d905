import { TextBody } from '../../broadcasts/text-body.tsx';
import { findSources } from '../../broadcasts/variables.ts';
import { useAsk } from '../../call/use-call.ts';
import type { Node } from '../graph/graph.ts';
import { toldAt } from '../model/told.ts';
import type { StepFormProps } from './step.ts';

type Text = Extract<Node, { type: 'send_text' }>;

export function TextFields({ id, part, told, isLocked, onChange }: StepFormProps<Text>) {
  const listed = useAsk('list_broadcast_variables', {});
  const wrong = toldAt(told, id, 'message_body') ?? toldAt(told, id, 'variables');
  return (
    <div className="field">
      <TextBody
        text={part.message_body ?? ''}
        variables={part.variables ?? {}}
        sources={findSources(listed.data?.variables ?? [], { channel: 'sms', audience: 'webinar' })}
        coverage={[]}
        isLocked={isLocked}
        onChange={(text, variables) =>
          onChange(
            text === ''
              ? { message_body: undefined, variables: undefined }
              : { message_body: text, variables },
            'message_body',
          )
        }
      />
      {wrong !== undefined && <p className="err">{wrong}</p>}
    </div>
  );
}
