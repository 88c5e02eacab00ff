import type { Examples } from './example.ts';
import { apiKey, keyId, morning } from './objects.ts';

export const serverExamples = {
  getVersion: {
    release: {
      summary: 'A release',
      reply: {
        version: '3.0.0',
        build: { version: '0.1.0', commit: '9a617c0f9a617c0f9a617c0f9a617c0f9a617c0f', time: morning },
        api: 'v1',
      },
    },
  },
  getReadiness: { ready: { summary: 'Ready', reply: {} } },
  getCaller: {
    api_key: {
      summary: 'An API key',
      reply: { kind: 'api_key', id: keyId, name: apiKey.name, role: apiKey.role, expires_at: apiKey.expires_at },
    },
  },
} satisfies Examples;
