/** The pages of keys, tokens and sessions in one script: what they show them with is the same. */
export { ApiKeysPage } from '../../api-keys/api-keys-page.tsx';
export { SessionsPage } from '../../sessions/sessions-page.tsx';
export { EnrolmentTokensPage } from '../../api-keys/enrolment-tokens-page.tsx';
