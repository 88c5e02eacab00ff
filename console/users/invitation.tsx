import { server } from '../ui/curl.tsx';
import { href } from '../ui/route.tsx';
import { INVITATION } from './invitation-path.ts';

/** A link for the user. The part behind `#` contains the invitation: browsers send it to no server. */
export const invitationLink = ({ user_name: user, invitation }: { user_name: string; invitation: string }): string =>
  `${server.baseUrl}/${href([INVITATION], { user, invitation })}`;
