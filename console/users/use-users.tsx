import { endpoint as listUsers } from '../../functions/api/users/list/endpoint.ts';
import { MAX_USERS } from '../../functions/domain/access/user.ts';
import { allPages } from '../api/all-pages.ts';
import { call, type ReplyOf, requestOf } from '../api/client.tsx';
import { useLoad } from '../ui/use-load.tsx';

export type User = ReplyOf<typeof listUsers>['users'][number];

const loadUsers = (signal: AbortSignal): Promise<User[]> =>
  allPages(async (token) => {
    const query = { page_size: MAX_USERS, page_token: token };
    const { users: items, next_page_token: next } = await call(listUsers, { query }, { signal });
    return { items, next };
  });

/** All users, by id. */
export const useUsers = () => useLoad('users', loadUsers);

export const usersRequest = requestOf(listUsers, { query: { page_size: MAX_USERS } });
