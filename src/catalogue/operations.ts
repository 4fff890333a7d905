import { addIdentifier } from '../domain/identifiers/add-identifier.ts';
import { listIdentifiers } from '../domain/identifiers/list-identifiers.ts';
import { removeIdentifier } from '../domain/identifiers/remove-identifier.ts';
import { updateIdentifier } from '../domain/identifiers/update-identifier.ts';
import { listSubscriptions } from '../domain/payments/list-subscriptions.ts';
import { deletePerson } from '../domain/people/delete-person.ts';
import { getPerson } from '../domain/people/get-person.ts';
import { identifyPerson } from '../domain/people/identify-person.ts';
import { listPeople } from '../domain/people/list-people.ts';
import { getOptOuts, setOptOuts } from '../domain/people/opt-outs.ts';
import { listSegmentMembers } from '../domain/people/list-segment-members.ts';
import { previewSegment } from '../domain/people/preview-segment.ts';
import { replaceExternalId } from '../domain/people/replace-external-id.ts';
import { searchPeople } from '../domain/people/search-people.ts';
import { createPropertyConfig } from '../domain/properties/create-property-config.ts';
import { deletePersonProperty } from '../domain/properties/delete-person-property.ts';
import { deletePropertyConfig } from '../domain/properties/delete-property-config.ts';
import { getPersonProperties } from '../domain/properties/get-person-properties.ts';
import { listPropertyConfigs } from '../domain/properties/list-property-configs.ts';
import { setPersonProperty } from '../domain/properties/set-person-property.ts';
import { updatePropertyConfig } from '../domain/properties/update-property-config.ts';
import { createSegment } from '../domain/segments/create-segment.ts';
import { deleteSegment } from '../domain/segments/delete-segment.ts';
import { getSegment } from '../domain/segments/get-segment.ts';
import { listSegments } from '../domain/segments/list-segments.ts';
import { updateSegment } from '../domain/segments/update-segment.ts';
import type { Work } from '../database/work.ts';
import type { AnyOperation } from '../kernel/operation.ts';

/** Everything the service can do. */
export const operations = [
  searchPeople,
  listPeople,
  getPerson,
  identifyPerson,
  replaceExternalId,
  deletePerson,
  listIdentifiers,
  addIdentifier,
  updateIdentifier,
  removeIdentifier,
  listPropertyConfigs,
  createPropertyConfig,
  updatePropertyConfig,
  deletePropertyConfig,
  getPersonProperties,
  setPersonProperty,
  deletePersonProperty,
  listSegments,
  getSegment,
  listSegmentMembers,
  previewSegment,
  createSegment,
  updateSegment,
  deleteSegment,
  listSubscriptions,
  getOptOuts,
  setOptOuts,
] as const satisfies readonly AnyOperation<Work>[];
