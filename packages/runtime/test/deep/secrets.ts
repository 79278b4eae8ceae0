import { execFileSync } from 'node:child_process';
import { cwd, home } from '../../../shell/test/deep/fixture.js';

/** Every secret of the project and of the home holds this text, and then its place. Nothing else holds it. */
export const marker = 'MARK-';

/** Ids of objects, by the names that lines have for them. */
export type Ids = Readonly<Record<string, string>>;

/** Adds secrets to the project that `makeProject` has made: in each place where git or a home may keep one. */
export function addSecrets(): Ids {
  const script = `
    set -e
    hold() { mkdir -p "$(dirname "$2")" && printf 'NAME=%s\\nTOKEN=${marker}%s\\n' "$1" "$1" >"$2"; }
    id() { printf '%s %s\\n' "$1" "$(git rev-parse "$2")"; }
    for each in .env conf/credentials.json .aws/credentials keys/id_rsa .ssh/a.txt; do hold history $each; done
    hold index lib/.env
    git add -f .env conf .aws keys .ssh lib && git commit -qm 'add settings'
    git tag key HEAD:.env && git tag box HEAD:.ssh && git tag -a -m boxed boxed HEAD:keys
    id @BLOB@ HEAD:.env; id @TREE@ HEAD:.ssh; id @OLD@ HEAD
    printf '\\0%s\\n' '${marker}binary' >.env && git commit -qam 'binary settings'
    git show --binary --format= HEAD -- .env | sed 's/\\.env/plain.bin/' >bin.patch
    git branch other
    git rm -rq --cached .env conf .aws keys .ssh && rm -r .env conf .aws keys .ssh
    for each in third fourth fifth; do echo $each >>a.txt && git commit -qam $each; done
    git notes add -m plain HEAD && git update-ref refs/notes/secret other
    hold lost conf/.env.local && git add -f conf && git commit -qm lost && id @LOST@ HEAD && git reset -q --hard HEAD~1
    hold stash .env && git add -f .env && git stash -q && echo stashed >>README.md && git stash -q
    git init -q sub && hold submodule sub/.env && echo x >sub/x.txt && git -C sub add -f . && git -C sub commit -qm sub
    git -C sub rm -q --cached .env && git -C sub commit -qm plain
    git init -q --bare ../origin.git && git push -q ../origin.git --all && git remote add origin ../origin.git
    echo sub >>.git/info/exclude
    hold tree .env; hold tree src/util/.env.local; hold modules node_modules/m/.env
    for each in .netrc .ssh/id_ed25519 .aws/credentials secret.txt other/o.txt; do hold home ~/"$each"; done
    echo changed >>src/a.js && echo staged >>docs/guide.md && git add docs
  `;
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: home,
    GIT_AUTHOR_DATE: '2024-02-01T00:00:00Z',
    GIT_COMMITTER_DATE: '2024-02-01T00:00:00Z',
  };
  const printed = execFileSync('/bin/sh', ['-c', script], { cwd, env, encoding: 'utf8' });
  return Object.fromEntries([...printed.matchAll(/^(@\w+@) (\w+)$/gm)].map(([, name, id]) => [name, id]));
}
