import type { Examples } from './example.ts';
import {
  activeUser,
  added,
  anotherSession,
  apiKey,
  apiKeyText,
  enrolledNodeId,
  enrolledNodeToAdd,
  enrolmentToken,
  keyId,
  registrar,
  rotatedKey,
  session,
  tokenForOne,
  user,
} from './objects.ts';

const PASSWORD = 'a quiet long sentence';
const invitation = 'minv_invite_3yTq0000000000000000000000000000000000000000_00000000';
const loggedIn = {
  session_id: 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7eb1',
  user_id: user.user_id,
  name: user.user_name,
  role: user.role,
  expires_at: '2026-03-03T00:00:00.000Z',
  key: 'minv_5vWx0000000000000000000000000000000000000000_00000000',
};
/** A program on a build host asks an Admin, whose session of the examples approves it. */
const device = {
  client_name: 'inventory on build-7',
  source_ip: '203.0.113.9',
  requested_at: '2026-03-02T12:00:00.000Z',
  expires_at: '2026-03-02T12:10:00.000Z',
};
const deviceCode = 'minv_device_3yTq0000000000000000000000000000000000000000_00000000';
const userCode = 'BKWT-RZPN';
const { password_set_at: _set, ...withoutPassword } = activeUser;

export const credentialsExamples = {
  addApiKey: {
    for_a_quarter: {
      summary: 'A key that expires after 91 days',
      body: { name: apiKey.name, role: apiKey.role, time_to_live: '91d' },
      reply: { ...apiKey, key: apiKeyText },
    },
  },
  listApiKeys: {
    all: {
      summary: 'All keys',
      reply: {
        api_keys: [
          {
            ...apiKey,
            last_used_at: '2026-03-02T11:55:00.000Z',
            last_used_from: '10.0.0.7',
            uses_by_day: [
              { date: '2026-03-01', uses: 288 },
              { date: '2026-03-02', uses: 143 },
            ],
          },
        ],
      },
    },
  },
  removeApiKey: { terraform: { summary: 'A key', params: { key_id: keyId } } },
  changeApiKey: {
    limit: {
      summary: 'At most twenty requests per second',
      params: { key_id: keyId },
      body: { rate_limit_per_minute: 1200 },
    },
    disabled: {
      summary: 'Refuse the key until it is enabled',
      params: { key_id: keyId },
      body: { disabled: true },
    },
  },
  rotateApiKey: {
    in_an_hour: {
      summary: 'Both secrets work for an hour',
      params: { key_id: keyId },
      body: { overlap: '1h' },
      reply: rotatedKey,
    },
  },
  rotateOwnApiKey: {
    in_an_hour: {
      summary: 'Both secrets work for an hour; the expiry of the key stays',
      body: { overlap: '1h' },
      reply: { ...rotatedKey, expires_at: apiKey.expires_at },
    },
  },
  addEnrolmentToken: {
    for_any_host: {
      summary: 'A new host in a network, within 30 minutes',
      body: { name: enrolmentToken.name, allowed_addresses: enrolmentToken.allowed_addresses, time_to_live: '30m' },
      reply: { ...enrolmentToken, token: 'minv_enrol_3yTq0000000000000000000000000000000000000000_00000000' },
    },
    for_one_host: {
      summary: 'Enrol a host again, with a key that expires after 91 days',
      body: {
        name: tokenForOne.name,
        node_name: tokenForOne.node_name,
        allowed_addresses: tokenForOne.allowed_addresses,
        key_time_to_live: tokenForOne.key_time_to_live,
      },
      reply: { ...tokenForOne, token: 'minv_enrol_4cYq0000000000000000000000000000000000000000_00000000' },
    },
  },
  listEnrolmentTokens: {
    all: { summary: 'All tokens', reply: { enrolment_tokens: [enrolmentToken, tokenForOne] } },
  },
  removeEnrolmentToken: { one: { summary: 'A token', params: { token_id: tokenForOne.token_id } } },
  enrolNode: {
    new_host: {
      summary: 'A new host',
      body: { token: 'minv_enrol_3yTq0000000000000000000000000000000000000000_00000000', node: enrolledNodeToAdd },
      reply: {
        node: { node_id: enrolledNodeId, ...enrolledNodeToAdd, custom_labels: {}, ...added },
        api_key: { ...registrar, key: 'minv_5vWx0000000000000000000000000000000000000000_00000000' },
      },
    },
  },
  addSession: {
    admin: {
      summary: 'Log in as admin',
      reply: {
        session_id: session.session_id,
        name: 'admin',
        role: 'Admin',
        expires_at: session.expires_at,
        key: 'minv_5vWx0000000000000000000000000000000000000000_00000000',
      },
    },
    another: {
      summary: 'Another session of the same user',
      reply: {
        session_id: anotherSession.session_id,
        name: 'admin',
        role: 'Admin',
        expires_at: anotherSession.expires_at,
        key: 'minv_4qLe0000000000000000000000000000000000000000_00000000',
      },
    },
  },
  listSessions: {
    all: { summary: 'All active sessions', reply: { sessions: [session, anotherSession] } },
  },
  endSession: { one: { summary: 'A session', params: { session_id: session.session_id } } },
  removeSession: { own: { summary: 'The current session' } },
  addUser: {
    editor: {
      summary: 'An Editor, who sets a password within three days',
      body: { user_name: user.user_name, role: user.role },
      reply: { ...user, invitation },
    },
  },
  authorizeDevice: {
    build_host: {
      summary: 'A command line on a host without a browser',
      body: { client_name: device.client_name },
      reply: {
        device_code: deviceCode,
        user_code: userCode,
        verification_uri: '/#/device',
        verification_uri_complete: `/#/device?user_code=${userCode}`,
        expires_in: 600,
        interval: 5,
      },
    },
  },
  answerDevice: {
    approve: {
      summary: 'Approve with a lower role',
      body: { user_code: userCode, answer: 'approve', role: 'Viewer' },
      reply: { ...device, state: 'approved' },
    },
  },
  listLogInMethods: {
    all: {
      summary: 'The methods of this server',
      reply: {
        methods: [
          { method: 'password', title: 'Password', admin_account: 'enabled' },
          {
            method: 'oidc',
            title: 'Example Corp',
            provider: 'corporate',
            authorization_endpoint: 'https://login.example.com/authorize',
            client_id: 'inventory',
            scope: 'openid profile email offline_access',
            redirect_uris: ['https://inventory.example.com/'],
          },
        ],
      },
    },
  },
  logIn: {
    invitation: {
      summary: 'Accept an invitation and set the password',
      body: { method: 'invitation', user_name: user.user_name, invitation, new_password: PASSWORD },
      reply: loggedIn,
    },
    password: {
      summary: 'Log in by password',
      body: { method: 'password', user_name: user.user_name, password: PASSWORD },
      reply: { ...loggedIn, session_id: 'c81d40e6-3b52-47f9-a06d-92e4f7b81c35' },
    },
    new_password: {
      summary: 'Change the own password: all other sessions end',
      body: {
        method: 'password',
        user_name: user.user_name,
        password: PASSWORD,
        new_password: 'another quiet long sentence',
      },
      reply: { ...loggedIn, session_id: 'd92e51f7-4c63-48ea-b17e-a3f508c92d46' },
    },
    device: {
      summary: 'A device that was approved',
      body: { method: 'device', device_code: deviceCode },
      reply: {
        ...{ ...loggedIn, session_id: 'a03f62f8-5d74-49fb-828f-b4a619da3e57', user_id: 'admin', name: 'admin' },
        role: 'Viewer',
      },
    },
  },
  listUsers: { all: { summary: 'All users', reply: { users: [activeUser] } } },
  changeUser: {
    viewer: {
      summary: 'A lower role: all sessions of the user end',
      params: { user_id: user.user_id },
      body: { role: 'Viewer' },
      reply: { ...activeUser, role: 'Viewer' },
    },
    owners: {
      summary: 'Limit the writes of an Editor to the objects of a team',
      params: { user_id: user.user_id },
      body: { role: 'Editor', owners: ['dba'] },
      reply: { ...activeUser, role: 'Editor', owners: ['dba'] },
    },
    disabled: {
      summary: 'Lock a user out',
      params: { user_id: user.user_id },
      body: { disabled: true },
      reply: { ...activeUser, role: 'Viewer', state: 'disabled' },
    },
  },
  endUserSessions: { all: { summary: 'All sessions of a user', params: { user_id: user.user_id } } },
  inviteUser: {
    again: {
      summary: 'A lost password: the user sets another one within a day',
      params: { user_id: user.user_id },
      body: { invitation_time_to_live: '1d' },
      reply: {
        ...withoutPassword,
        role: 'Viewer',
        state: 'disabled',
        invitation_expires_at: '2026-03-03T12:00:00.000Z',
        invitation: 'minv_invite_3yTq0000000000000000000000000000000000000000_00000000',
      },
    },
  },
  removeUser: { one: { summary: 'A user', params: { user_id: user.user_id } } },
} satisfies Examples;
