/** The pages of keys, tokens and sessions in one script: they share most of their components. */
export { ApiKeysPage } from '../../api-keys/api-keys.tsx';
export { EnrolmentTokensPage } from '../../api-keys/enrolment-tokens.tsx';
export { SessionsPage } from '../../sessions/sessions.tsx';
