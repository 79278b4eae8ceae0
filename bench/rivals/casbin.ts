import { newEnforcer, newModelFromString } from 'casbin';
import type { Contender } from '../contender.js';

const model = `
[request_definition]
r = name, amount
[policy_definition]
p = name, covers, most, eft
[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))
[matchers]
m = fits(r.name, r.amount, p.name, p.covers, p.most)
`;

export const casbin: Contender = {
  name: 'casbin',
  mostRules: 10_000,
  prepare: async ({ rules, calls }) => {
    const enforcer = await newEnforcer(newModelFromString(model));
    await enforcer.addFunction('fits', fits);
    await enforcer.addPolicies(
      rules.map(({ name, covers, most, allows }) => [
        name,
        covers,
        most === null ? '' : String(most),
        allows ? 'allow' : 'deny',
      ]),
    );
    return (call) => (calls[call] ?? []).every(({ name, amount }) => enforcer.enforceSync(name, amount));
  },
};

function fits(asked: string, amount: number, name: string, covers: string, most: string): boolean {
  if (asked !== name && !(covers === 'under' && asked.startsWith(`${name}.`))) return false;
  return most === '' || amount <= Number(most);
}
