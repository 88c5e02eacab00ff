/** The pages of keys, tokens, users and sessions in one script: they share most of their components. */
export { ApiKeysPage } from '../../api-keys/api-keys-page.tsx';
export { EnrolmentTokensPage } from '../../api-keys/enrolment-tokens-page.tsx';
export { UsersPage } from '../../users/users-page.tsx';
export { UserPage } from '../../users/user-page.tsx';
export { RoleBindingsPage } from '../../role-bindings/role-bindings-page.tsx';
export { DevicePage } from '../../device/device-page.tsx';
export { AccountPage } from '../../account/account-page.tsx';
export { SessionsPage } from '../../sessions/sessions-page.tsx';
