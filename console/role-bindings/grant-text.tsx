import Alert from '@cloudscape-design/components/alert';
import type { endpoint as previewRoleBindings } from '../../functions/api/role-bindings/preview/endpoint.ts';
import type { ReplyOf } from '../api/client.tsx';
import { Words } from '../ui/breakable-text.tsx';

type Grant = ReplyOf<typeof previewRoleBindings>;
type Judgement = Grant['bindings'][number];

/** Why a binding counts or does not. */
function reasonOf({ matched, missing_claims: missing, role }: Judgement, granted: Grant['role']): string {
  if (!matched)
    return missing.length === 0
      ? 'does not match'
      : `does not match: the claims lack ${missing.join(', ')}, or have other values`;
  return role === granted ? `matches and gives the role ${role}` : `matches, but its role ${role} is weaker`;
}

/** The role of an identity in words, and the reason of each binding of the provider. */
export function GrantText({ grant, provider }: { grant: Grant; provider: string }) {
  const { role, owners, bindings } = grant;
  const header =
    role === undefined ? 'No access' : `Role ${role}${owners === undefined ? '' : `, only ${owners.join(', ')}`}`;
  return (
    <Alert type={role === undefined ? 'warning' : 'success'} header={header}>
      {bindings.length === 0 ? (
        `No role binding is for the provider ${provider}.`
      ) : (
        <ul>
          {bindings.map((binding) => (
            <li key={binding.binding_id}>
              <b>
                <Words text={binding.binding_id} />
              </b>{' '}
              {reasonOf(binding, role)}.
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}
