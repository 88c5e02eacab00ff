/** The pages of keys and tokens in one script: what they show them with is the same. */
export { ApiKeysPage } from './api-keys-page.tsx';
export { EnrolmentTokensPage } from './enrolment-tokens-page.tsx';
