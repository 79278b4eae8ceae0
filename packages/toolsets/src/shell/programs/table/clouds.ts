import type { ProgramSpec, ProgramTable } from '../spec.js';

/** Speaks with a cloud's own addresses, whatever it is told to do there. */
const cloud = (host: string | null): ProgramSpec => ({
  isLoose: true,
  options: {
    '--endpoint-url --endpoint --api-endpoint': 'connect',
    '--profile --region --output --query --project --format': 'value',
  },
  operands: ['...code:cloud-operand'],
  does: [`connect:https ${host ?? '?'}`],
});

/** Programs of clouds, hosts of code, databases and infrastructure. */
export const cloudPrograms: ProgramTable = {
  terraform: {
    isLoose: true,
    isDashed: true,
    isInherited: true,
    options: {
      '-chdir': 'folder',
      '-var-file -backend-config': 'read',
      '-out -state -state-out -backup -generate-config-out': 'write',
      '-plugin-dir': 'load',
      '-var -target -lock-timeout -parallelism -replace': 'value',
    },
    commands: {
      fmt: { isLoose: true, operands: ['...write/**=.'] },
      'version|output|show|graph|providers|metadata|help': {
        isLoose: true,
        operands: ['...read'],
        does: ['read/** .'],
      },
      'validate|console|state|workspace|get|force-unlock|taint|untaint|login|logout': {
        isLoose: true,
        does: ['connect ?', 'code:terraform ?', 'write/** .'],
      },
      '*': { isLoose: true, operands: ['...read'], does: ['connect ?', 'code:terraform ?', 'write/** .'] },
    },
  },
  tofu: { like: 'terraform' },
  terragrunt: { isLoose: true, does: ['connect ?', 'code:terraform ?', 'write/** .'] },
  pulumi: {
    isLoose: true,
    options: { '-C --cwd': 'folder' },
    does: ['connect ?', 'code:pulumi ?', 'write/** .'],
  },
  cdk: { isLoose: true, options: { '-a --app': 'code:sh' }, does: ['connect ?', 'code:js ?', 'write/** .'] },
  sam: { isLoose: true, does: ['connect ?', 'code:sh ?', 'write/** .'] },
  packer: { isLoose: true, operands: ['value', '...load'], does: ['connect ?', 'code:sh ?'] },
  ansible: {
    isLoose: true,
    isInherited: true,
    options: {
      '-i --inventory': 'load',
      '--vault-password-file --private-key --key-file': 'read',
      '-e --extra-vars -m -a -l -u': 'value',
    },
    operands: ['...value'],
    does: ['connect ?', 'code:ansible ?'],
  },
  'ansible-playbook': {
    isLoose: true,
    options: {
      '-i --inventory': 'load',
      '--vault-password-file --private-key --key-file': 'read',
      '-e --extra-vars -l -u -t --tags': 'value',
    },
    operands: ['...load:ansible'],
    does: ['connect ?', 'code:ansible ?'],
  },
  'ansible-galaxy': { isLoose: true, does: ['connect ?', 'write/** ~', 'code:ansible ?'] },
  'ansible-vault': {
    isLoose: true,
    operands: ['value', '...read+write'],
    does: ['secret.read:ansible-vault'],
  },
  chef: { isLoose: true, does: ['connect ?', 'code:ruby ?', 'sys.admin:configuration'] },
  puppet: { isLoose: true, does: ['connect ?', 'code:ruby ?', 'sys.admin:configuration'] },
  salt: { isLoose: true, does: ['connect ?', 'code:python ?', 'sys.admin:configuration'] },
  aws: {
    isLoose: true,
    values: '--region --profile --output --query --filters --cli-read-timeout',
    options: {
      '--endpoint-url': 'connect',
      '--ca-bundle': 'read',
      '--cli-input-json --cli-input-yaml': 'code:at-file',
    },
    isInherited: true,
    commands: {
      s3: {
        isLoose: true,
        operands: ['value', 'code:bucket-from', 'code:bucket-to', '...value'],
        does: ['connect:https amazonaws.com'],
      },
      configure: {
        isLoose: true,
        commands: {
          'get|list|list-profiles|export-credentials': { isLoose: true, does: ['read/** ~/.aws'] },
          '*': { isLoose: true, does: ['write/** ~/.aws'] },
        },
        does: ['write/** ~/.aws if none'],
      },
      '*': {
        isLoose: true,
        operands: ['...code:cloud-operand'],
        does: ['connect:https amazonaws.com', 'write/** .'],
      },
    },
  },
  gcloud: {
    ...cloud('googleapis.com'),
    options: { '--flags-file --key-file --credential-file-override': 'read' },
  },
  gsutil: {
    isLoose: true,
    operands: ['value', 'code:bucket-from', 'code:bucket-to', '...value'],
    does: ['connect:https storage.googleapis.com'],
  },
  bq: cloud('bigquery.googleapis.com'),
  az: cloud('management.azure.com'),
  doctl: cloud('api.digitalocean.com'),
  hcloud: cloud('api.hetzner.cloud'),
  linode: cloud('api.linode.com'),
  oci: cloud(null),
  ibmcloud: cloud('cloud.ibm.com'),
  heroku: { ...cloud('api.heroku.com'), does: ['connect:https api.heroku.com', 'code:sh ?'] },
  fly: { ...cloud('api.fly.io'), does: ['connect:https api.fly.io', 'code:sh ?'] },
  flyctl: { like: 'fly' },
  railway: cloud('backboard.railway.app'),
  supabase: {
    ...cloud('api.supabase.com'),
    does: ['connect:https api.supabase.com', 'write/** .', 'code:sh ?'],
  },
  stripe: cloud('api.stripe.com'),
  twilio: cloud('api.twilio.com'),
  sentry: cloud('sentry.io'),
  'sentry-cli': { like: 'sentry' },
  s3cmd: {
    isLoose: true,
    options: { '-c --config': 'read' },
    operands: ['value', 'code:bucket-from', 'code:bucket-to', '...value'],
    does: ['connect ?'],
  },
  mc: { isLoose: true, operands: ['...read/**+write/**'], does: ['connect ?'] },
  gh: {
    isLoose: true,
    isInherited: true,
    values:
      '-R --repo -q --jq -t --template --json -L --limit -B --base -H --head -X --method -f --raw-field -b --body -m --message -l --label -a --assignee -r --reviewer',
    options: {
      '--hostname': 'connect',
      '-F --body-file --notes-file --input': 'read',
      '-D --dir': 'write/**',
      '-O --output': 'write',
    },
    commands: {
      'pr|issue|run|workflow|label|search|status|browse|org|project|ruleset|variable|secret|ssh-key|gpg-key|cache|attestation':
        {
          isLoose: true,
          commands: {
            'view|list|ls|status|diff|checks|watch|repos|code|commits|issues|prs|check': {
              isLoose: true,
              operands: ['...value'],
              does: ['connect:https api.github.com'],
            },
            'checkout|co': {
              isLoose: true,
              operands: ['...value'],
              does: ['connect:https api.github.com', 'write/** .', 'load .git/hooks'],
            },
            'create|comment|edit|close|reopen|merge|review|ready|lock|unlock|delete|transfer|pin|unpin|develop|rerun|cancel|enable|disable|run|set|update-branch|revert':
              {
                isLoose: true,
                operands: ['...value'],
                does: ['connect:https api.github.com', 'message.send', 'vcs.push', 'read/** .'],
              },
            download: {
              isLoose: true,
              operands: ['...value'],
              does: ['connect:https api.github.com', 'write/** .'],
            },
            '*': {
              isLoose: true,
              operands: ['...value'],
              does: ['connect:https api.github.com', 'message.send'],
            },
          },
          does: ['connect:https api.github.com'],
        },
      repo: {
        isLoose: true,
        commands: {
          'view|list': { isLoose: true, operands: ['...value'], does: ['connect:https api.github.com'] },
          clone: {
            isLoose: true,
            operands: ['value', 'write/**=.', 'rest'],
            does: ['connect:https github.com', 'write/** .'],
          },
          '*': {
            isLoose: true,
            operands: ['...value'],
            does: ['connect:https api.github.com', 'vcs.push', 'write/** .'],
          },
        },
      },
      release: {
        isLoose: true,
        commands: {
          'view|list': { isLoose: true, operands: ['...value'], does: ['connect:https api.github.com'] },
          download: {
            isLoose: true,
            operands: ['...value'],
            does: ['connect:https api.github.com', 'write/** .'],
          },
          '*': {
            isLoose: true,
            operands: ['value', '...read'],
            does: ['connect:https api.github.com', 'vcs.push'],
          },
        },
      },
      gist: {
        isLoose: true,
        operands: ['value', '...read'],
        does: ['connect:https api.github.com', 'message.send'],
      },
      api: { isLoose: true, operands: ['code:url-only'], does: ['connect:https api.github.com'] },
      auth: {
        isLoose: true,
        commands: {
          status: { isLoose: true, does: ['connect:https api.github.com'] },
          '*': {
            isLoose: true,
            does: ['connect:https api.github.com', 'secret.read:gh', 'write/** ~/.config/gh'],
          },
        },
      },
      'codespace|cs|extension|ext|alias|copilot|agent-task|preview': {
        isLoose: true,
        does: ['connect:https api.github.com', 'code:sh ?', 'write/** ~/.config/gh'],
      },
      'help|version|completion|config': { isLoose: true },
      '*': { isLoose: true, does: ['connect:https api.github.com', 'code:sh ?'] },
    },
  },
  glab: {
    isLoose: true,
    options: { '-R --repo': 'value' },
    operands: ['...value'],
    does: ['connect:https gitlab.com', 'message.send', 'vcs.push', 'write/** .'],
  },
  tea: { like: 'glab', does: ['connect ?', 'message.send'] },
  jira: { isLoose: true, does: ['connect ?', 'message.send'] },
};
