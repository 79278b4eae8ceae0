/** Well-known places, and the capabilities of touching them besides reading or writing a file. */
export interface WellKnownPlace {
  /** `secret.read` for reads, `sys.persist` for writes. */
  readonly capability: 'secret.read' | 'sys.persist';
  readonly what: string;
  /** `**` is any folders, `*` any text in a name, `~` the user's home. */
  readonly places: readonly string[];
  readonly except?: readonly string[];
}

/** The one table, for every toolset. A place whose name is distinctive counts in any folder. */
export const wellKnown: readonly WellKnownPlace[] = [
  {
    capability: 'secret.read',
    what: 'SSH keys',
    places: list('**/.ssh/** **/id_rsa **/id_dsa **/id_ecdsa **/id_ed25519 /etc/ssh/ssh_host_*_key'),
  },
  {
    capability: 'secret.read',
    what: 'private keys and key stores',
    places: list(`
      **/*.pem **/*.key **/*.p12 **/*.pfx **/*.jks **/*.keystore **/*.kdbx **/*.ppk
      /etc/ssl/private/**`),
    // Certificates are public, and these names hold nothing else.
    except: list(`
      /etc/ssl/certs/** /etc/pki/ca-trust/** **/cacert.pem **/ca-cert.pem **/ca-bundle.pem
      **/ca-certificates.pem **/fullchain.pem`),
  },
  { capability: 'secret.read', what: 'GnuPG keys', places: list('**/.gnupg/** **/.password-store/**') },
  {
    capability: 'secret.read',
    what: 'key rings of the desktop',
    places: list('~/.local/share/keyrings/** ~/.local/share/kwalletd/** ~/Library/Keychains/**'),
  },
  {
    capability: 'secret.read',
    what: 'cloud credentials',
    places: list(`
      **/.aws/** **/.azure/** **/.config/gcloud/** **/.oci/** **/.config/doctl/**
      **/.terraform.d/credentials.tfrc.json **/.terraformrc **/*.tfstate **/.boto **/.s3cfg
      **/.config/rclone/** **/credentials.json **/service-account*.json **/service_account*.json`),
  },
  {
    capability: 'secret.read',
    what: 'container and cluster credentials',
    places: list(`
      **/.docker/config.json **/.kube/** **/.config/containers/auth.json /etc/kubernetes/**
      /run/secrets/** /var/run/secrets/**`),
  },
  {
    capability: 'secret.read',
    what: 'tokens of code hosts',
    places: list(`
      **/.config/gh/** **/.config/hub **/.config/glab-cli/** **/.git-credentials
      **/.config/git/credentials`),
  },
  {
    capability: 'secret.read',
    what: 'tokens of package registries',
    places: list(`
      **/.npmrc **/.yarnrc.yml **/.pypirc **/.gem/credentials **/.cargo/credentials
      **/.cargo/credentials.toml **/.m2/settings.xml **/.gradle/gradle.properties
      **/.nuget/NuGet/NuGet.Config **/.composer/auth.json`),
  },
  {
    capability: 'secret.read',
    what: 'passwords for network and database clients',
    places: list('**/.netrc **/_netrc **/.pgpass **/.my.cnf **/.mylogin.cnf **/.vault-token **/.htpasswd'),
  },
  {
    capability: 'secret.read',
    what: 'environment files',
    places: list('**/.env **/.env.* **/*.env **/.envrc'),
    except: list('**/.env.example **/.env.sample **/.env.template **/.env.dist'),
  },
  {
    capability: 'secret.read',
    what: 'passwords of the system',
    places: list(`
      /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d/**
      /etc/krb5.keytab /etc/security/opasswd`),
  },
  {
    capability: 'secret.read',
    what: 'browser stores',
    places: list(`
      **/.mozilla/** **/.config/google-chrome/** **/.config/chromium/** **/.config/BraveSoftware/**
      **/.config/microsoft-edge/** ~/Library/Application*Support/Google/Chrome/**
      ~/Library/Application*Support/Firefox/** ~/Library/Cookies/** ~/snap/firefox/**
      ~/snap/chromium/**`),
  },
  {
    capability: 'secret.read',
    what: 'command histories',
    places: list(`
      **/.bash_history **/.zsh_history **/.python_history **/.node_repl_history **/.psql_history
      **/.mysql_history`),
  },
  {
    capability: 'secret.read',
    what: 'environment, memory and open files of programs',
    places: list(`
      /proc/*/environ /proc/*/mem /proc/*/fd/** /proc/*/task/*/environ /proc/*/task/*/mem
      /proc/*/task/*/fd/** /proc/*/root/** /proc/kcore /dev/mem /dev/kmem /dev/fd/**`),
  },

  {
    capability: 'sys.persist',
    what: 'shell start-up files',
    places: list(`
      **/.bashrc **/.bash_profile **/.bash_login **/.bash_logout **/.bash_aliases **/.profile
      **/.zshrc **/.zshenv **/.zprofile **/.zlogin **/.zlogout **/.kshrc **/.cshrc **/.tcshrc
      **/.login **/.config/fish/** **/.inputrc **/.envrc /etc/profile /etc/profile.d/**
      /etc/bash.bashrc /etc/bashrc /etc/zsh/** /etc/environment /etc/environment.d/**
      /etc/ld.so.preload /etc/ld.so.conf /etc/ld.so.conf.d/**`),
  },
  {
    capability: 'sys.persist',
    what: 'scheduled jobs',
    places: list(`
      /etc/crontab /etc/anacrontab /etc/cron.*/** /var/spool/cron/** /var/spool/at/**
      /var/spool/anacron/**`),
  },
  {
    capability: 'sys.persist',
    what: 'services',
    places: list(`
      /etc/systemd/** /usr/lib/systemd/** /lib/systemd/** /usr/local/lib/systemd/** /run/systemd/**
      **/.config/systemd/** ~/.local/share/systemd/** /etc/init.d/** /etc/rc.local /etc/init/**
      ~/Library/LaunchAgents/** /Library/LaunchAgents/** /Library/LaunchDaemons/**
      /etc/udev/rules.d/** /etc/xinetd.d/**`),
  },
  {
    capability: 'sys.persist',
    what: 'what starts with a session',
    places: list(`
      **/.config/autostart/** /etc/xdg/autostart/** **/.xinitrc **/.xprofile **/.xsession
      **/.xsessionrc **/.pam_environment **/.config/environment.d/** /etc/pam.d/**`),
  },
  {
    capability: 'sys.persist',
    what: 'who may log in',
    places: list(`
      **/.ssh/authorized_keys **/.ssh/authorized_keys2 **/.ssh/rc **/.ssh/config **/.ssh/environment
      /etc/ssh/** **/.rhosts **/.shosts /etc/hosts.equiv /etc/passwd /etc/shadow /etc/group
      /etc/sudoers /etc/sudoers.d/**`),
  },
  {
    capability: 'sys.persist',
    what: 'git hooks and settings',
    places: list(`
      **/.git **/.git/hooks/** **/.git/config **/.git/config.worktree **/.git/info/attributes
      **/.git/modules/** **/.gitconfig **/.config/git/** /etc/gitconfig **/.gitmodules
      **/.gitattributes **/.githooks/** **/.husky/** **/.pre-commit-config.yaml **/lefthook.yml`),
  },
  {
    capability: 'sys.persist',
    what: 'CI definitions',
    places: list(`
      **/.github/workflows/** **/.github/actions/** **/.gitlab-ci.yml **/.gitlab/ci/** **/.circleci/**
      **/Jenkinsfile **/azure-pipelines.yml **/.travis.yml **/.drone.yml **/.woodpecker/**
      **/.woodpecker.yml **/bitbucket-pipelines.yml **/.buildkite/** **/appveyor.yml
      **/.forgejo/workflows/** **/.gitea/workflows/**`),
  },
  {
    capability: 'sys.persist',
    what: 'build definitions',
    places: list(`
      **/Makefile **/makefile **/GNUmakefile **/package.json **/.npmrc **/.pnpmfile.cjs **/.yarnrc.yml
      **/setup.py **/pyproject.toml **/conftest.py **/build.rs **/.cargo/config **/.cargo/config.toml
      **/build.gradle **/build.gradle.kts **/pom.xml **/Rakefile **/Gemfile **/CMakeLists.txt
      **/meson.build **/justfile **/Justfile **/Taskfile.yml **/Dockerfile **/docker-compose.yml
      **/compose.yaml`),
  },
  {
    capability: 'sys.persist',
    what: 'tasks and settings that editors run',
    places: list(`
      **/.vscode/tasks.json **/.vscode/launch.json **/.vscode/settings.json **/.devcontainer/**
      **/.devcontainer.json **/.idea/** **/.vimrc **/.exrc **/.nvimrc **/.config/nvim/** **/.emacs
      **/.emacs.d/** **/.dir-locals.el`),
  },
  {
    capability: 'sys.persist',
    what: 'instructions, settings and servers of agents',
    places: list(`
      **/.mcp.json **/mcp.json **/.claude/** **/.claude.json **/CLAUDE.md **/CLAUDE.local.md **/AGENTS.md
      **/AGENT.md **/AGENTS.override.md **/GEMINI.md **/.gemini/** **/.codex/** **/.cursor/** **/.cursorrules
      **/.windsurf/** **/.windsurfrules **/.clinerules **/.clinerules/** **/.roo/** **/.roomodes
      **/.roorules **/.continue/** **/.aider.conf.yml **/.aiderignore **/.kiro/** **/.amazonq/**
      **/.junie/** **/.augment/** **/.trae/** **/.qwen/** **/.opencode/** **/opencode.json **/opencode.jsonc
      **/.goosehints **/.zed/** **/.github/copilot-instructions.md **/.github/instructions/**
      **/.github/prompts/** **/.github/agents/** **/.copilot/** **/.vscode/mcp.json
      /etc/claude-code/** **/.config/opencode/** **/.config/goose/** **/.config/zed/**`),
  },
  {
    capability: 'sys.persist',
    what: 'code that interpreters load by themselves',
    places: list(`
      **/sitecustomize.py **/usercustomize.py **/site-packages/*.pth **/.pythonrc **/.Rprofile
      **/.irbrc **/.gdbinit **/.lldbinit **/node_modules/**`),
  },
];

/** Places, with white space between. */
function list(text: string): readonly string[] {
  return text.split(/\s+/).filter((place) => place !== '');
}
