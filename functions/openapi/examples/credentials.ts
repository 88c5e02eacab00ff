import type { Examples } from './example.ts';
import {
  added,
  anotherSession,
  apiKey,
  enrolledNodeId,
  enrolledNodeToAdd,
  enrolmentToken,
  keyId,
  registrar,
  rotatedKey,
  session,
  tokenForOne,
} from './objects.ts';

export const credentialsExamples = {
  addApiKey: {
    for_a_quarter: {
      summary: 'A key that expires after 91 days',
      body: { name: apiKey.name, role: apiKey.role, time_to_live: '91d' },
      reply: { ...apiKey, key: 'minv_3yTq0000000000000000000000000000000000000000_00000000' },
    },
  },
  listApiKeys: {
    all: {
      summary: 'All keys',
      reply: { api_keys: [{ ...apiKey, last_used_at: '2026-03-02T11:55:00.000Z', last_used_from: '10.0.0.7' }] },
    },
  },
  removeApiKey: { terraform: { summary: 'A key', params: { key_id: keyId } } },
  changeApiKey: {
    limit: {
      summary: 'At most twenty requests per second',
      params: { key_id: keyId },
      body: { rate_limit_per_minute: 1200 },
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
      reply: { ...enrolmentToken, token: 'minv_enrol_8rTz0000000000000000000000000000000000000000_00000000' },
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
      body: { token: 'minv_enrol_8rTz0000000000000000000000000000000000000000_00000000', node: enrolledNodeToAdd },
      reply: {
        node: { node_id: enrolledNodeId, ...enrolledNodeToAdd, custom_labels: {}, ...added },
        api_key: { ...registrar, key: 'minv_2hGf0000000000000000000000000000000000000000_00000000' },
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
        key: 'minv_9pKd0000000000000000000000000000000000000000_00000000',
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
} satisfies Examples;
