import type { Random } from '../consistency/random.ts';
import { askForSession, answerWith } from '../support/devices.ts';
import { authorized } from '../support/oidc-log-in.ts';
import { PASSWORD } from '../support/users.ts';
import { addUser } from './path-parameters.ts';
import type { Scene } from './scene.ts';
import { bodyOf, VIEWERS } from './scenery.ts';

const somePersonName = (random: Random) => `viewers-${random.below(VIEWERS)}`;

export const somePerson = ({ random, scenery }: Scene) => scenery.logInPerson(somePersonName(random));

/** Proofs of identity, each with the request that presents it. */
export const proofs: Readonly<Record<string, (scene: Scene) => Promise<object>>> = {
  jwt: async ({ scenery }) => ({ provider: 'cluster', token: await scenery.programToken('viewers') }),
  oidc: async ({ random, scenery: { provider, setPerson } }) => {
    setPerson(somePersonName(random));
    return (await authorized(provider)).body;
  },
  session: async (scene) => ({ key: (await somePerson(scene)).key }),
  device: async (scene) => {
    const { inventory } = scene.scenery;
    const { user_code, device_code } = bodyOf(await askForSession(inventory));
    bodyOf(await answerWith(inventory, (await somePerson(scene)).key, { user_code, answer: 'approve' }));
    return { device_code };
  },
  invitation: async (scene) => {
    const { user_name, invitation } = await addUser(scene);
    return { user_name, invitation, new_password: PASSWORD };
  },
  password: async (scene) => {
    const user_name = await scene.target('user with a password', false, async () => {
      const body = { method: 'invitation', ...(await proofs['invitation']!(scene)) };
      const sourceIp = scene.scenery.address();
      return bodyOf(await scene.scenery.inventory.request('POST', '/v1/logins', { as: null, body, sourceIp })).user_id;
    });
    return { user_name, password: PASSWORD };
  },
};

export const allProofs: readonly string[] = [...Object.keys(proofs), 'enrolment token', 'enrolment token of a program'];
