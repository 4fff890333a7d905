import { ConditionFields } from './condition-fields.tsx';
import { EmailFields } from './email-fields.tsx';
import { PropertyFields } from './property-fields.tsx';
import type { StepFormProps } from './step.ts';
import { TextFields } from './text-fields.tsx';
import { TriggerFields } from './trigger-fields.tsx';
import { WaitFields } from './wait-fields.tsx';

/** The settings of a step, by its kind; where its ways lead is asked below them for all kinds alike. */
export function StepFields({ part, ...rest }: StepFormProps) {
  switch (part.type) {
    case 'wait':
      return <WaitFields part={part} {...rest} />;
    case 'send_email':
      return <EmailFields part={part} {...rest} />;
    case 'send_text':
      return <TextFields part={part} {...rest} />;
    case 'condition_split':
      return <ConditionFields part={part} {...rest} />;
    case 'set_property':
      return <PropertyFields part={part} {...rest} />;
    case 'webinar_registration':
    case 'event':
      return <TriggerFields part={part} {...rest} />;
    case 'attendance_split':
      return <p className="hint">Whoever is recorded as attended when the run comes by goes one way.</p>;
    case 'end':
      return <p className="hint">Runs stop here.</p>;
  }
}
