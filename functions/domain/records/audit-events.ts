/** All events of audit entries: closed lists, to which values may be added but never removed. */

export const changeEvents = [
  'node.added',
  'node.changed',
  'node.removed',
  'node.restored',
  'service.added',
  'service.changed',
  'service.removed',
  'service.restored',
  'agent.added',
  'agent.changed',
  'agent.removed',
  'agent.restored',
] as const;

export const accessEvents = [
  'api_key.added',
  'api_key.changed',
  'api_key.rotated',
  'api_key.removed',
  'enrolment_token.added',
  'enrolment_token.used',
  'enrolment_token.removed',
  'session.added',
  'session.removed',
  'session.changed',
  'annotation.added',
  'service_account.added',
  'service_account.removed',
  'user.added',
  'user.changed',
  'user.invited',
  'user.password_set',
  'user.sessions_ended',
  'user.removed',
  'role_binding.added',
  'role_binding.changed',
  'role_binding.removed',
  'device.approved',
  'device.denied',
  'silence.added',
  'silence.removed',
  'saved_filter.added',
  'saved_filter.changed',
  'saved_filter.removed',
] as const;

export const refusalEvents = [
  'sign_in.refused',
  'log_out.refused',
  'api_key.refused',
  'enrolment.refused',
  'call.refused',
] as const;

export const auditEvents = [...changeEvents, ...accessEvents, ...refusalEvents] as const;

export const refusalReasons = [
  'wrong_password',
  'invalid_key',
  'expired_key',
  'disabled_key',
  'superseded_secret',
  'invalid_token',
  'other_node',
  'role',
  'scope',
  'rate_limit',
  'unknown_user',
  'disabled_user',
  'invalid_invitation',
  'unknown_provider',
  'invalid_identity',
  'expired_identity',
  'wrong_issuer',
  'wrong_audience',
  'unknown_key',
  'used_identity',
  'unbound_identity',
  'too_many_owners',
  'invalid_code',
  'too_many_groups',
  'invalid_session',
  'invalid_device',
] as const;

export type AccessEventWord = (typeof accessEvents)[number];
export type RefusalEventWord = (typeof refusalEvents)[number];
export type AuditEventWord = (typeof auditEvents)[number];
export type RefusalReason = (typeof refusalReasons)[number];
