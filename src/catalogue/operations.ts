import { createBroadcast } from '../domain/broadcasts/draft/create-broadcast.ts';
import { deleteBroadcast } from '../domain/broadcasts/draft/delete-broadcast.ts';
import { explainRecipient } from '../domain/broadcasts/outcome/explain-recipient.ts';
import { getBroadcast } from '../domain/broadcasts/draft/get-broadcast.ts';
import { getBroadcastStats } from '../domain/broadcasts/outcome/get-broadcast-stats.ts';
import { listBroadcastRecipients } from '../domain/broadcasts/outcome/list-broadcast-recipients.ts';
import { listPersonDeliveries } from '../domain/broadcasts/outcome/list-person-deliveries.ts';
import { listBroadcasts } from '../domain/broadcasts/draft/list-broadcasts.ts';
import { moveTestClock } from '../domain/test-clock/move-test-clock.ts';
import { planBroadcast } from '../domain/broadcasts/plan/plan-broadcast.ts';
import { previewBroadcast } from '../domain/broadcasts/plan/preview-broadcast.ts';
import { scheduleBroadcast } from '../domain/broadcasts/plan/schedule-broadcast.ts';
import { planResendUncertain } from '../domain/broadcasts/sending/plan-resend-uncertain.ts';
import { resendUncertain } from '../domain/broadcasts/sending/resend-uncertain.ts';
import { stopBroadcast } from '../domain/broadcasts/sending/stop-broadcast.ts';
import { testBroadcast } from '../domain/broadcasts/plan/test-broadcast.ts';
import { recountBroadcast } from '../domain/broadcasts/plan/recount-broadcast.ts';
import { releaseBroadcast } from '../domain/broadcasts/plan/release-broadcast.ts';
import { unscheduleBroadcast } from '../domain/broadcasts/plan/unschedule-broadcast.ts';
import { updateBroadcast } from '../domain/broadcasts/draft/update-broadcast.ts';
import { listBroadcastVariables } from '../domain/content/variables/list-broadcast-variables.ts';
import { addIdentifier } from '../domain/identifiers/add-identifier.ts';
import { listIdentifiers } from '../domain/identifiers/list-identifiers.ts';
import { removeIdentifier } from '../domain/identifiers/remove-identifier.ts';
import { updateIdentifier } from '../domain/identifiers/update-identifier.ts';
import { getImport } from '../domain/imports/record/get-import.ts';
import { appendImportRows } from '../domain/imports/mapping/append-import-rows.ts';
import { mendImportRow } from '../domain/imports/mapping/mend-import-row.ts';
import { cancelImport } from '../domain/imports/record/cancel-import.ts';
import { createImport } from '../domain/imports/mapping/create-import.ts';
import { listDataImports } from '../domain/imports/record/list-data-imports.ts';
import { setImportMapping } from '../domain/imports/mapping/set-import-mapping.ts';
import { changeMemberRole } from '../domain/members/change-member-role.ts';
import { endConnection } from '../domain/connections/end-connection.ts';
import { listConnections } from '../domain/connections/list-connections.ts';
import { getMe } from '../domain/members/get-me.ts';
import { inviteMember } from '../domain/members/invite-member.ts';
import { listInvitations } from '../domain/members/list-invitations.ts';
import { listMembers } from '../domain/members/list-members.ts';
import { leaveOrganization } from '../domain/members/leave-organization.ts';
import { removeMember } from '../domain/members/remove-member.ts';
import { revokeInvitation } from '../domain/members/revoke-invitation.ts';
import { createKey } from '../domain/members/create-api-key.ts';
import { listAuditLog } from '../domain/orgs/list-audit-log.ts';
import { listKeys } from '../domain/orgs/list-api-keys.ts';
import { revokeKey } from '../domain/members/revoke-api-key.ts';
import { getTestClock } from '../domain/orgs/get-test-clock.ts';
import { getSettings } from '../domain/orgs/get-settings.ts';
import { getUsage } from '../domain/orgs/get-usage.ts';
import { updateSettings } from '../domain/orgs/update-settings.ts';
import { commitImport } from '../domain/imports/commit/commit-import.ts';
import { previewImport } from '../domain/imports/preview/preview-import.ts';
import { listSubscriptions } from '../domain/payments/list-subscriptions.ts';
import { getRegistrationPage } from '../domain/registration-pages/get-registration-page.ts';
import { updateRegistrationPage } from '../domain/registration-pages/update-registration-page.ts';
import { deletePerson } from '../domain/people/record/delete-person.ts';
import { deletePeopleView } from '../domain/people/record/delete-people-view.ts';
import { explainEngagement } from '../domain/people/record/explain-engagement.ts';
import { listPeopleEngagement } from '../domain/people/record/list-people-engagement.ts';
import { listPeopleViews } from '../domain/people/record/list-people-views.ts';
import { savePeopleView } from '../domain/people/record/save-people-view.ts';
import { getPerson } from '../domain/people/record/get-person.ts';
import { identifyPerson } from '../domain/people/identify/identify-person.ts';
import { liftBlacklistEntry } from '../domain/people/opt-outs/lift-blacklist-entry.ts';
import { listBlacklist } from '../domain/people/opt-outs/list-blacklist.ts';
import { listPeople } from '../domain/people/record/list-people.ts';
import { listPersonEvents } from '../domain/events/list-person-events.ts';
import { getOptOuts } from '../domain/people/opt-outs/get-opt-outs.ts';
import { setManyOptOuts } from '../domain/people/opt-outs/set-many-opt-outs.ts';
import { setOptOuts } from '../domain/people/opt-outs/set-opt-outs.ts';
import { listPersonSegments } from '../domain/segments/list-person-segments.ts';
import { listSegmentMembers } from '../domain/segments/list-segment-members.ts';
import { previewSegment } from '../domain/segments/preview-segment.ts';
import { replaceExternalId } from '../domain/people/identify/replace-external-id.ts';
import { searchPeople } from '../domain/people/record/search-people.ts';
import { recordEvents } from '../domain/events/record-events.ts';
import { updatePerson } from '../domain/people/record/update-person.ts';
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
import { simulateWorkflow } from '../domain/workflows/record/simulate-workflow.ts';
import { createWorkflow } from '../domain/workflows/record/create-workflow.ts';
import { deleteWorkflow } from '../domain/workflows/record/delete-workflow.ts';
import { getWorkflow } from '../domain/workflows/record/get-workflow.ts';
import { getWorkflowChanges } from '../domain/workflows/record/get-workflow-changes.ts';
import { getWorkflowVersion } from '../domain/workflows/record/get-workflow-version.ts';
import { getWorkflowRun } from '../domain/workflows/runs/get-workflow-run.ts';
import { listPersonRuns } from '../domain/workflows/runs/list-person-runs.ts';
import { listRunMessages } from '../domain/workflows/runs/list-run-messages.ts';
import { listWorkflowPeople } from '../domain/workflows/runs/list-workflow-people.ts';
import { listWorkflowRuns } from '../domain/workflows/runs/list-workflow-runs.ts';
import { listWorkflows } from '../domain/workflows/record/list-workflows.ts';
import { pauseWorkflow } from '../domain/workflows/record/pause-workflow.ts';
import { publishWorkflow } from '../domain/workflows/record/publish-workflow.ts';
import { resumeWorkflow } from '../domain/workflows/record/resume-workflow.ts';
import { surveyWorkflows } from '../domain/workflows/record/survey-workflows.ts';
import { updateWorkflow } from '../domain/workflows/record/update-workflow.ts';
import { cancelWebinar } from '../domain/webinars/schedule/cancel-webinar.ts';
import { createWebinar } from '../domain/webinars/schedule/create-webinar.ts';
import { deleteWebinar } from '../domain/webinars/schedule/delete-webinar.ts';
import { getWebinar } from '../domain/webinars/schedule/get-webinar.ts';
import { listPersonRegistrations } from '../domain/webinars/registrations/list-person-registrations.ts';
import { findRegistrants } from '../domain/webinars/registrations/find-registrants.ts';
import { listRegistrations } from '../domain/webinars/registrations/list-registrations.ts';
import { listWebinars } from '../domain/webinars/schedule/list-webinars.ts';
import { previewReschedule } from '../domain/webinars/schedule/preview-reschedule.ts';
import { registerForWebinar } from '../domain/webinars/registrations/register-for-webinar.ts';
import { reportManyAttendance } from '../domain/webinars/registrations/report-many-attendance.ts';
import { reportAttendance } from '../domain/webinars/registrations/report-attendance.ts';
import { rescheduleWebinar } from '../domain/webinars/schedule/reschedule-webinar.ts';
import { unregisterFromWebinar } from '../domain/webinars/registrations/unregister-from-webinar.ts';
import { updateWebinar } from '../domain/webinars/schedule/update-webinar.ts';
import { linkWebinar } from '../domain/webinars/schedule/link-webinar.ts';
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
  listPeopleEngagement,
  explainEngagement,
  listPeopleViews,
  savePeopleView,
  deletePeopleView,
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
  listPersonSegments,
  previewSegment,
  createSegment,
  updateSegment,
  deleteSegment,
  listSubscriptions,
  getOptOuts,
  setOptOuts,
  setManyOptOuts,
  listBlacklist,
  liftBlacklistEntry,
  createImport,
  setImportMapping,
  appendImportRows,
  mendImportRow,
  cancelImport,
  listDataImports,
  previewImport,
  commitImport,
  getImport,
  listPersonEvents,
  listPersonRegistrations,
  listPersonDeliveries,
  recordEvents,
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
  getRegistrationPage,
  updateRegistrationPage,
  listRegistrations,
  findRegistrants,
  reportAttendance,
  reportManyAttendance,
  createBroadcast,
  updateBroadcast,
  listBroadcastVariables,
  planBroadcast,
  scheduleBroadcast,
  unscheduleBroadcast,
  recountBroadcast,
  releaseBroadcast,
  stopBroadcast,
  planResendUncertain,
  resendUncertain,
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
  surveyWorkflows,
  getWorkflow,
  getWorkflowVersion,
  createWorkflow,
  updateWorkflow,
  publishWorkflow,
  pauseWorkflow,
  resumeWorkflow,
  deleteWorkflow,
  listWorkflowRuns,
  getWorkflowChanges,
  listWorkflowPeople,
  getWorkflowRun,
  listRunMessages,
  listPersonRuns,
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
  getUsage,
  getTestClock,
  moveTestClock,
  getMe,
  leaveOrganization,
  listMembers,
  changeMemberRole,
  removeMember,
  listInvitations,
  inviteMember,
  revokeInvitation,
  listKeys,
  createKey,
  revokeKey,
  listAuditLog,
  listConnections,
  endConnection,
] as const satisfies readonly AnyOperation<Work>[];
