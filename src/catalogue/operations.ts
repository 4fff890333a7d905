import { createBroadcast } from '../domain/broadcasts/create-broadcast.ts';
import { deleteBroadcast } from '../domain/broadcasts/delete-broadcast.ts';
import { explainRecipient } from '../domain/broadcasts/explain-recipient.ts';
import { getBroadcast } from '../domain/broadcasts/get-broadcast.ts';
import { getBroadcastStats } from '../domain/broadcasts/get-broadcast-stats.ts';
import { listBroadcastRecipients } from '../domain/broadcasts/list-broadcast-recipients.ts';
import { listPersonDeliveries } from '../domain/broadcasts/list-person-deliveries.ts';
import { listBroadcasts } from '../domain/broadcasts/list-broadcasts.ts';
import { moveTestClock } from '../domain/broadcasts/move-test-clock.ts';
import { planBroadcast } from '../domain/broadcasts/plan-broadcast.ts';
import { previewBroadcast } from '../domain/broadcasts/preview-broadcast.ts';
import { scheduleBroadcast } from '../domain/broadcasts/schedule-broadcast.ts';
import { stopBroadcast } from '../domain/broadcasts/stop-broadcast.ts';
import { testBroadcast } from '../domain/broadcasts/test-broadcast.ts';
import { unscheduleBroadcast } from '../domain/broadcasts/unschedule-broadcast.ts';
import { updateBroadcast } from '../domain/broadcasts/update-broadcast.ts';
import { listBroadcastVariables } from '../domain/content/list-broadcast-variables.ts';
import { addIdentifier } from '../domain/identifiers/add-identifier.ts';
import { listIdentifiers } from '../domain/identifiers/list-identifiers.ts';
import { removeIdentifier } from '../domain/identifiers/remove-identifier.ts';
import { updateIdentifier } from '../domain/identifiers/update-identifier.ts';
import { getImport } from '../domain/imports/get-import.ts';
import { appendImportRows } from '../domain/imports/append-import-rows.ts';
import { cancelImport } from '../domain/imports/cancel-import.ts';
import { createImport } from '../domain/imports/create-import.ts';
import { listDataImports } from '../domain/imports/list-data-imports.ts';
import { setImportMapping } from '../domain/imports/set-import-mapping.ts';
import { getTestClock } from '../domain/orgs/get-test-clock.ts';
import { getSettings, updateSettings } from '../domain/orgs/settings.ts';
import { commitImport } from '../domain/imports/commit-import.ts';
import { previewImport } from '../domain/imports/preview-import.ts';
import { listSubscriptions } from '../domain/payments/list-subscriptions.ts';
import { deletePerson } from '../domain/people/delete-person.ts';
import { getPerson } from '../domain/people/get-person.ts';
import { identifyPerson } from '../domain/people/identify-person.ts';
import { liftBlacklistEntry } from '../domain/people/lift-blacklist-entry.ts';
import { listBlacklist } from '../domain/people/list-blacklist.ts';
import { listPeople } from '../domain/people/list-people.ts';
import { listPersonEvents } from '../domain/people/list-person-events.ts';
import { getOptOuts, setOptOuts } from '../domain/people/opt-outs.ts';
import { listSegmentMembers } from '../domain/people/list-segment-members.ts';
import { previewSegment } from '../domain/people/preview-segment.ts';
import { replaceExternalId } from '../domain/people/replace-external-id.ts';
import { searchPeople } from '../domain/people/search-people.ts';
import { sendEvents } from '../domain/people/send-events.ts';
import { updatePerson } from '../domain/people/update-person.ts';
import { createPropertyConfig } from '../domain/properties/create-property-config.ts';
import { deletePersonProperty } from '../domain/properties/delete-person-property.ts';
import { deletePropertyConfig } from '../domain/properties/delete-property-config.ts';
import { getPersonProperties } from '../domain/properties/get-person-properties.ts';
import { listPropertyConfigs } from '../domain/properties/list-property-configs.ts';
import { setPersonProperty } from '../domain/properties/set-person-property.ts';
import { updatePropertyConfig } from '../domain/properties/update-property-config.ts';
import { createSegment } from '../domain/people/create-segment.ts';
import { deleteSegment } from '../domain/segments/delete-segment.ts';
import { getSegment } from '../domain/segments/get-segment.ts';
import { listSegments } from '../domain/segments/list-segments.ts';
import { updateSegment } from '../domain/segments/update-segment.ts';
import { checkSendingDomain } from '../domain/senders/check-sending-domain.ts';
import { createSender } from '../domain/senders/create-sender.ts';
import { deleteSender } from '../domain/senders/delete-sender.ts';
import { deleteSendingDomain } from '../domain/senders/delete-sending-domain.ts';
import { getEmailLayout } from '../domain/senders/get-email-layout.ts';
import { getSendingDomain } from '../domain/senders/get-sending-domain.ts';
import { listSenders } from '../domain/senders/list-senders.ts';
import { listSendingDomains } from '../domain/senders/list-sending-domains.ts';
import { setSmsNumber } from '../domain/senders/set-sms-number.ts';
import { updateEmailLayout } from '../domain/senders/update-email-layout.ts';
import { updateSender } from '../domain/senders/update-sender.ts';
import { simulateWorkflow } from '../domain/workflows/simulate-workflow.ts';
import { createWorkflow } from '../domain/workflows/create-workflow.ts';
import { deleteWorkflow } from '../domain/workflows/delete-workflow.ts';
import { getWorkflow } from '../domain/workflows/get-workflow.ts';
import { getWorkflowRun } from '../domain/workflows/get-workflow-run.ts';
import { listWorkflowRuns } from '../domain/workflows/list-workflow-runs.ts';
import { listWorkflows } from '../domain/workflows/list-workflows.ts';
import { pauseWorkflow } from '../domain/workflows/pause-workflow.ts';
import { publishWorkflow } from '../domain/workflows/publish-workflow.ts';
import { resumeWorkflow } from '../domain/workflows/resume-workflow.ts';
import { updateWorkflow } from '../domain/workflows/update-workflow.ts';
import { cancelWebinar } from '../domain/webinars/cancel-webinar.ts';
import { createWebinar } from '../domain/webinars/create-webinar.ts';
import { deleteWebinar } from '../domain/webinars/delete-webinar.ts';
import { getWebinar } from '../domain/webinars/get-webinar.ts';
import { listPersonRegistrations } from '../domain/webinars/list-person-registrations.ts';
import { listRegistrations } from '../domain/webinars/list-registrations.ts';
import { listWebinars } from '../domain/webinars/list-webinars.ts';
import { previewReschedule } from '../domain/webinars/preview-reschedule.ts';
import { registerForWebinar } from '../domain/webinars/register.ts';
import { reportAttendance } from '../domain/webinars/report-attendance.ts';
import { rescheduleWebinar } from '../domain/webinars/reschedule.ts';
import { unregisterFromWebinar } from '../domain/webinars/unregister.ts';
import { updateWebinar } from '../domain/webinars/update-webinar.ts';
import { linkWebinar } from '../domain/webinars/link-webinar.ts';
import { connectPlatform } from '../domain/webinars/platforms/connect-platform.ts';
import { deletePlatformConnection } from '../domain/webinars/platforms/delete-platform-connection.ts';
import { getWebinarLink } from '../domain/webinars/platforms/get-webinar-link.ts';
import { listPlatformConnections } from '../domain/webinars/platforms/list-platform-connections.ts';
import { unlinkWebinar } from '../domain/webinars/platforms/unlink-webinar.ts';
import type { Work } from '../database/work.ts';
import type { AnyOperation } from '../kernel/operation.ts';

/** Everything the service can do. */
export const operations = [
  searchPeople,
  listPeople,
  getPerson,
  identifyPerson,
  updatePerson,
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
  listBlacklist,
  liftBlacklistEntry,
  createImport,
  setImportMapping,
  appendImportRows,
  cancelImport,
  listDataImports,
  previewImport,
  commitImport,
  getImport,
  listPersonEvents,
  listPersonRegistrations,
  listPersonDeliveries,
  sendEvents,
  createWebinar,
  getWebinar,
  listWebinars,
  updateWebinar,
  rescheduleWebinar,
  previewReschedule,
  cancelWebinar,
  deleteWebinar,
  registerForWebinar,
  unregisterFromWebinar,
  listRegistrations,
  reportAttendance,
  createBroadcast,
  updateBroadcast,
  listBroadcastVariables,
  planBroadcast,
  scheduleBroadcast,
  unscheduleBroadcast,
  stopBroadcast,
  getBroadcastStats,
  explainRecipient,
  listBroadcastRecipients,
  getBroadcast,
  listBroadcasts,
  previewBroadcast,
  testBroadcast,
  deleteBroadcast,
  simulateWorkflow,
  listWorkflows,
  getWorkflow,
  createWorkflow,
  updateWorkflow,
  publishWorkflow,
  pauseWorkflow,
  resumeWorkflow,
  deleteWorkflow,
  listWorkflowRuns,
  getWorkflowRun,
  listSenders,
  createSender,
  updateSender,
  deleteSender,
  listSendingDomains,
  getSendingDomain,
  checkSendingDomain,
  deleteSendingDomain,
  getEmailLayout,
  updateEmailLayout,
  setSmsNumber,
  listPlatformConnections,
  connectPlatform,
  deletePlatformConnection,
  linkWebinar,
  getWebinarLink,
  unlinkWebinar,
  getSettings,
  updateSettings,
  getTestClock,
  moveTestClock,
] as const satisfies readonly AnyOperation<Work>[];
