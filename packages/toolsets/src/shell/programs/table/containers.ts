import type { ProgramSpec, ProgramTable } from '../spec.js';

/** Values of `docker run` and its kin, that name what of this machine the container gets. */
const runOptions: ProgramSpec = {
  isLoose: true,
  isPosix: true,
  values:
    '-e -h -l -m -u -w -a --env --name --hostname --label --memory --cpus --cpu-shares --user --workdir --entrypoint --network --net --network-alias --restart --platform --pull --log-driver --log-opt --ulimit --tmpfs --shm-size --stop-signal --stop-timeout --add-host --dns --dns-search --expose --group-add --health-cmd --health-interval --health-retries --health-timeout --ip --isolation --link --mac-address --oom-score-adj --pids-limit --runtime --sysctl --gpus --annotation --cgroupns --cgroup-parent --storage-opt --volume-driver --attach --detach-keys --read-only-size --timeout',
  options: {
    '-v --volume': 'code:mount',
    '--mount': 'code:mount-option',
    '--volumes-from': 'value',
    '-p --publish': 'net.listen',
    '--env-file --label-file': 'read',
    '--cidfile --iidfile': 'write',
    '--device --device-cgroup-rule --cap-add --security-opt --pid --ipc --userns --uts': 'priv.escalate',
  },
  flags:
    '-d -i -t -P --detach --interactive --tty --rm --init --privileged --publish-all --read-only --sig-proxy --no-healthcheck --quiet -q -it',
  operands: ['value', 'rest'],
  does: ['priv.escalate if --privileged', 'connect:https ?'],
};
const looks: ProgramSpec = { isLoose: true, operands: ['...value'] };
const changes: ProgramSpec = { isLoose: true, operands: ['...value'], does: ['sys.admin:containers'] };
const inContainer: ProgramSpec = {
  ...runOptions,
  options: { '--env-file': 'read' },
  does: ['priv.escalate if --privileged', 'sys.admin:containers'],
};
const builds: ProgramSpec = {
  isLoose: true,
  values:
    '-t --tag --build-arg --target --platform --progress --label --network --cache-to --cache-from --add-host --ssh',
  options: {
    '-f --file': 'read',
    '--secret': 'code:mount-option',
    '-o --output': 'code:output-option',
    '--iidfile --metadata-file': 'write',
    '--build-context': 'read/**',
  },
  operands: ['read/**|url'],
  does: ['connect:https ?', 'code:sh ?', 'vcs.push if --push'],
  flags: '--push --load --no-cache --pull -q --quiet',
};
const composes: ProgramSpec = {
  isLoose: true,
  options: {
    '-f --file --env-file': 'load',
    '--project-directory': 'folder',
    '-p --project-name --profile': 'value',
  },
  commands: {
    'ps|ls|config|images|logs|top|port|version|events|convert|stats': looks,
    '*': {
      isLoose: true,
      operands: ['...value'],
      does: ['sys.admin:containers', 'connect:https ?', 'code:sh ?'],
    },
  },
};

/** Programs that run containers and speak with clusters. */
export const containerPrograms: ProgramTable = {
  docker: {
    flags: '-D -v --debug --tls --tlsverify',
    values: '-l --log-level -c --context',
    options: { '-H --host': 'connect', '--config': 'load', '--tlscacert --tlscert --tlskey': 'read' },
    commands: {
      'ps|images|inspect|logs|stats|top|port|diff|history|info|version|events|search|context|wait': looks,
      'container|image|volume|network|system|node|service|stack|swarm|secret|config|plugin|manifest|trust|checkpoint':
        {
          isLoose: true,
          commands: {
            'ls|list|ps|inspect|history|df|info|logs|stats|top|port|diff|events': looks,
            run: runOptions,
            create: runOptions,
            exec: inContainer,
            build: builds,
            cp: {
              isLoose: true,
              operands: ['read/**|remote', 'write/**|remote'],
              does: ['sys.admin:containers'],
            },
            'save|export': { isLoose: true, options: { '-o --output': 'write' }, operands: ['...value'] },
            'load|import': {
              isLoose: true,
              options: { '-i --input': 'read' },
              operands: ['...read|url'],
              does: ['sys.admin:containers'],
            },
            push: { isLoose: true, operands: ['...value'], does: ['vcs.push', 'connect:https ?'] },
            pull: { isLoose: true, operands: ['...value'], does: ['connect:https ?'] },
            deploy: composes,
            '*': changes,
          },
        },
      'run|create': runOptions,
      exec: inContainer,
      'build|buildx|builder': builds,
      cp: { isLoose: true, operands: ['read/**|remote', 'write/**|remote'], does: ['sys.admin:containers'] },
      'save|export': { isLoose: true, options: { '-o --output': 'write' }, operands: ['...value'] },
      load: { isLoose: true, options: { '-i --input': 'read' }, does: ['sys.admin:containers'] },
      import: { isLoose: true, operands: ['read|url', '...value'], does: ['sys.admin:containers'] },
      push: { isLoose: true, operands: ['...value'], does: ['vcs.push', 'connect:https ?'] },
      'pull|login|logout': {
        isLoose: true,
        values: '-u -p --username --password',
        operands: ['...value'],
        does: ['connect:https ?'],
      },
      compose: composes,
      '*': changes,
    },
  },
  podman: { like: 'docker', isLoose: true },
  nerdctl: { like: 'docker', isLoose: true },
  'docker-compose': composes,
  'podman-compose': composes,
  buildah: {
    isLoose: true,
    operands: ['...value'],
    does: ['sys.admin:containers', 'connect:https ?', 'code:sh ?'],
  },
  skopeo: { isLoose: true, does: ['connect:https ?', 'vcs.push'] },
  crictl: changes,
  ctr: changes,
  runc: { ...changes, does: ['sys.admin:containers', 'priv.escalate'] },
  lxc: changes,
  lxd: changes,
  incus: changes,
  singularity: { isLoose: true, operands: ['...value'], does: ['connect:https ?', 'code:sh ?'] },
  apptainer: { like: 'singularity' },
  vagrant: { isLoose: true, does: ['code:ruby ?', 'connect ?', 'sys.admin:machines'] },
  multipass: changes,
  virsh: changes,
  kubectl: {
    isLoose: true,
    isInherited: true,
    values:
      '-n --namespace --context --cluster --user --as -l --selector -o --output --request-timeout --token --field-selector --sort-by -c --container --tail --since --template --username --password',
    options: {
      '--kubeconfig': 'read+load',
      '-s --server': 'connect',
      '-f --filename -k --kustomize': 'read/**|url',
      '--from-file --from-env-file --patch-file --certificate-authority --client-certificate --client-key':
        'read',
      '--cache-dir': 'write/**',
    },
    commands: {
      'get|describe|logs|top|explain|api-resources|api-versions|cluster-info|version|diff|wait|events|auth': {
        isLoose: true,
        flags: '--client',
        operands: ['...value'],
        does: ['connect ? unless --client'],
      },
      exec: {
        isLoose: true,
        isPosix: true,
        operands: ['value', 'rest'],
        does: ['connect ?', 'sys.admin:cluster'],
      },
      cp: {
        isLoose: true,
        operands: ['read/**|remote', 'write/**|remote'],
        does: ['connect ?', 'sys.admin:cluster'],
      },
      'port-forward|proxy': {
        isLoose: true,
        operands: ['value', '...net.listen'],
        does: ['connect ?', 'net.listen'],
      },
      config: { isLoose: true, operands: ['...value'], does: ['write/** ~/.kube'] },
      edit: { isLoose: true, does: ['connect ?', 'sys.admin:cluster', 'run editor'] },
      'completion|help|options|kustomize': { isLoose: true, operands: ['...read/**'] },
      '*': { isLoose: true, operands: ['...value'], does: ['connect ?', 'sys.admin:cluster'] },
    },
  },
  oc: { like: 'kubectl' },
  k3s: { isLoose: true, operands: ['...value'], does: ['connect ?', 'sys.admin:cluster'] },
  k9s: { like: 'k3s' },
  minikube: { like: 'k3s' },
  kind: { like: 'k3s' },
  kubeadm: { like: 'k3s' },
  kustomize: {
    isLoose: true,
    operands: ['value', 'read/**=.'],
    does: ['connect ?', 'code:sh ? if --enable-exec --enable-alpha-plugins'],
    flags: '--enable-exec --enable-alpha-plugins --enable-helm',
  },
  helm: {
    isLoose: true,
    isInherited: true,
    values:
      '-n --namespace --set --set-string --version --kube-context --kube-token --timeout -o --output --username --password',
    options: {
      '-f --values': 'read|url',
      '--kubeconfig --registry-config --repository-config': 'read',
      '--post-renderer': 'code:command',
      '--set-file': 'code:key-file',
      '--repo --kube-apiserver': 'connect',
      '--output-dir -d --destination': 'write/**',
    },
    commands: {
      'list|ls|status|history|get|version|search|show|env|help|verify': {
        isLoose: true,
        operands: ['...value'],
        does: ['connect ?'],
      },
      'template|lint': { isLoose: true, operands: ['...read/**'] },
      'package|create|pull|fetch|dependency|dep': {
        isLoose: true,
        operands: ['...read/**'],
        does: ['connect ?', 'write/** .'],
      },
      push: { isLoose: true, operands: ['read', 'connect'], does: ['vcs.push', 'connect ?'] },
      plugin: { isLoose: true, does: ['connect ?', 'code:sh ?'] },
      '*': { isLoose: true, operands: ['...read/**'], does: ['connect ?', 'sys.admin:cluster'] },
    },
  },
  helmfile: { isLoose: true, does: ['connect ?', 'sys.admin:cluster', 'code:sh ?'] },
  skaffold: { like: 'helmfile' },
  tilt: { like: 'helmfile' },
  argocd: { isLoose: true, does: ['connect ?', 'sys.admin:cluster'] },
  flux: { like: 'argocd' },
  istioctl: { like: 'argocd' },
};
