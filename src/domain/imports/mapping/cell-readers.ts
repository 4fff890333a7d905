import { forWritten } from '../../person-fields/fields.ts';
import type { PropertyType } from '../../properties/property-config.ts';
import type { FieldTarget } from '../record/mapping.ts';
import {
  consentReader,
  fieldReader,
  propertyReader,
  readEmail,
  readIdentifier,
  type ReadCell,
} from './read-cell.ts';

const ofField: Readonly<Record<Exclude<FieldTarget, 'skip'>, ReadCell>> = {
  external_user_id: readIdentifier,
  payment_customer_id: readIdentifier,
  email: readEmail,
  anonymous_id: readIdentifier,
  phone: readIdentifier,
  alternate_email: readEmail,
  alternate_phone: readIdentifier,
  ...forWritten(fieldReader),
  subscribed_to_emails: consentReader('subscribed'),
  unsubscribed_from_emails: consentReader('unsubscribed'),
};

const ofProperty: Readonly<Record<PropertyType, ReadCell>> = {
  string: propertyReader('string'),
  number: propertyReader('number'),
  boolean: propertyReader('boolean'),
};

export const readerOfField = (field: Exclude<FieldTarget, 'skip'>): ReadCell => ofField[field];

export const readerOfProperty = (type: PropertyType): ReadCell => ofProperty[type];
