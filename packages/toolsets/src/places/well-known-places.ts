/** Well-known places, and the capabilities of touching them besides reading or writing a file. */
export interface WellKnownPlace {
  /** `secret.read` for reads, `sys.persist` for writes. */
  readonly capability: 'secret.read' | 'sys.persist';
  readonly what: string;
  /** `**` is any folders, `*` any text in a name, `~` the user's home. */
  readonly places: readonly string[];
  readonly except?: readonly string[];
}

/** What each place holds, and the places. One whose name is distinctive counts in any folder. */
const secrets: Readonly<Record<string, string>> = {
  'SSH keys': '**/.ssh/** **/id_rsa **/id_dsa **/id_ecdsa **/id_ed25519 /etc/ssh/ssh_host_*_key',
  'private keys and key stores': `
    **/*.pem **/*.key **/*.p12 **/*.pfx **/*.jks **/*.keystore **/*.kdbx **/*.ppk
    /etc/ssl/private/**`,
  'GnuPG keys': '**/.gnupg/** **/.password-store/**',
  'key rings of the desktop': '~/.local/share/keyrings/** ~/.local/share/kwalletd/** ~/Library/Keychains/**',
  'cloud credentials': `
    **/.aws/** **/.azure/** **/.config/gcloud/** **/.oci/** **/.config/doctl/**
    **/.terraform.d/credentials.tfrc.json **/.terraformrc **/*.tfstate **/*.tfvars **/.boto **/.s3cfg
    **/.config/rclone/** **/.fly/config.yml **/local.settings.json **/credentials.json **/service-account*.json **/service_account*.json`,
  'container and cluster credentials': `
    **/.docker/config.json **/.kube/** **/kubeconfig **/*.kubeconfig **/.config/containers/auth.json /etc/kubernetes/**
    /run/secrets/** /var/run/secrets/**`,
  'tokens of code hosts': `
    **/.config/gh/** **/.config/hub **/.config/glab-cli/** **/.git-credentials
    **/.config/git/credentials`,
  'tokens of package registries': `
    **/.npmrc **/.yarnrc.yml **/.pypirc **/.gem/credentials **/.cargo/credentials
    **/.cargo/credentials.toml **/.m2/settings.xml **/.gradle/gradle.properties
    **/.nuget/NuGet/NuGet.Config **/.composer/auth.json **/.config/composer/auth.json **/.hex/hex.config`,
  'tokens for data and models': `
    **/.kaggle/kaggle.json **/.huggingface/token **/.cache/huggingface/token **/.streamlit/secrets.toml`,
  'tokens of agents': `
    **/.claude/.credentials.json **/.codex/auth.json **/.gemini/oauth_creds.json
    **/.local/share/opencode/auth.json **/.config/github-copilot/**`,
  'settings with passwords': '**/*.secret.exs **/wp-config.php',
  'passwords for network and database clients':
    '**/.netrc **/_netrc **/.pgpass **/.my.cnf **/.mylogin.cnf **/.vault-token **/.htpasswd',
  'environment files': '**/.env **/.env.* **/*.env **/.envrc',
  'passwords of the system': `
    /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d/**
    /etc/krb5.keytab /etc/security/opasswd`,
  'browser stores': `
    **/.mozilla/** **/.config/google-chrome/** **/.config/chromium/** **/.config/BraveSoftware/**
    **/.config/microsoft-edge/** ~/Library/Application*Support/Google/Chrome/**
    ~/Library/Application*Support/Firefox/** ~/Library/Cookies/** ~/snap/firefox/**
    ~/snap/chromium/**`,
  'command histories': `
    **/.bash_history **/.zsh_history **/.python_history **/.node_repl_history **/.psql_history
    **/.mysql_history`,
  'environment, memory and open files of programs': `
    /proc/*/environ /proc/*/mem /proc/*/fd/** /proc/*/task/*/environ /proc/*/task/*/mem
    /proc/*/task/*/fd/** /proc/*/root/** /proc/kcore /dev/mem /dev/kmem /dev/fd/**`,
};

/** Not secret, although they have such names. Certificates are public, and these names hold nothing else. */
const exceptions: Readonly<Record<string, string>> = {
  'private keys and key stores': `
    /etc/ssl/certs/** /etc/pki/ca-trust/** **/cacert.pem **/ca-cert.pem **/ca-bundle.pem
    **/ca-certificates.pem **/fullchain.pem`,
  'environment files': '**/.env.example **/.env.sample **/.env.template **/.env.dist',
};

/** The same for places that persist beyond the run. */
const persistent: Readonly<Record<string, string>> = {
  'shell start-up files': `
    **/.bashrc **/.bash_profile **/.bash_login **/.bash_logout **/.bash_aliases **/.profile
    **/.zshrc **/.zshenv **/.zprofile **/.zlogin **/.zlogout **/.kshrc **/.cshrc **/.tcshrc
    **/.login **/.config/fish/** **/.inputrc **/.envrc /etc/profile /etc/profile.d/**
    /etc/bash.bashrc /etc/bashrc /etc/zsh/** /etc/environment /etc/environment.d/**
    /etc/ld.so.preload /etc/ld.so.conf /etc/ld.so.conf.d/**`,
  'scheduled jobs': `
    /etc/crontab /etc/anacrontab /etc/cron.*/** /var/spool/cron/** /var/spool/at/**
    /var/spool/anacron/**`,
  services: `
    /etc/systemd/** /usr/lib/systemd/** /lib/systemd/** /usr/local/lib/systemd/** /run/systemd/**
    **/.config/systemd/** ~/.local/share/systemd/** /etc/init.d/** /etc/rc.local /etc/init/**
    ~/Library/LaunchAgents/** /Library/LaunchAgents/** /Library/LaunchDaemons/**
    /etc/udev/rules.d/** /etc/xinetd.d/**`,
  'what starts with a session': `
    **/.config/autostart/** /etc/xdg/autostart/** **/.xinitrc **/.xprofile **/.xsession
    **/.xsessionrc **/.pam_environment **/.config/environment.d/** /etc/pam.d/**`,
  'who may log in': `
    **/.ssh/authorized_keys **/.ssh/authorized_keys2 **/.ssh/rc **/.ssh/config **/.ssh/environment
    /etc/ssh/** **/.rhosts **/.shosts /etc/hosts.equiv /etc/passwd /etc/shadow /etc/group
    /etc/sudoers /etc/sudoers.d/**`,
  'git hooks and settings': `
    **/.git **/.git/hooks/** **/.git/config **/.git/config.worktree **/.git/info/attributes
    **/.git/modules/** **/.gitconfig **/.config/git/** /etc/gitconfig **/.gitmodules
    **/.gitattributes **/.githooks/** **/.husky/** **/.pre-commit-config.yaml **/lefthook.yml`,
  'CI definitions': `
    **/.github/workflows/** **/.github/actions/** **/.gitlab-ci.yml **/.gitlab/ci/** **/.circleci/**
    **/Jenkinsfile **/azure-pipelines.yml **/.travis.yml **/.drone.yml **/.woodpecker/**
    **/.woodpecker.yml **/bitbucket-pipelines.yml **/.buildkite/** **/appveyor.yml
    **/.forgejo/workflows/** **/.gitea/workflows/** **/CODEOWNERS **/.github/dependabot.yml
    **/.github/dependabot.yaml **/renovate.json`,
  'build definitions': `
    **/Makefile **/makefile **/GNUmakefile **/package.json **/.npmrc **/.pnpmfile.cjs **/.yarnrc.yml
    **/setup.py **/pyproject.toml **/conftest.py **/build.rs **/.cargo/config **/.cargo/config.toml
    **/build.gradle **/build.gradle.kts **/pom.xml **/Rakefile **/Gemfile **/CMakeLists.txt
    **/meson.build **/justfile **/Justfile **/Taskfile.yml **/Dockerfile **/docker-compose.yml
    **/compose.yaml`,
  'tasks and settings that editors run': `
    **/.vscode/tasks.json **/.vscode/launch.json **/.vscode/settings.json **/.devcontainer/**
    **/.devcontainer.json **/.idea/** **/.vimrc **/.exrc **/.nvimrc **/.config/nvim/** **/.emacs
    **/.emacs.d/** **/.dir-locals.el`,
  'instructions, settings and servers of agents': `
    **/.mcp.json **/mcp.json **/.claude/** **/.claude.json **/CLAUDE.md **/CLAUDE.local.md **/AGENTS.md
    **/AGENT.md **/AGENTS.override.md **/GEMINI.md **/.gemini/** **/.codex/** **/.cursor/** **/.cursorrules
    **/.windsurf/** **/.windsurfrules **/.clinerules **/.clinerules/** **/.roo/** **/.roomodes
    **/.roorules **/.continue/** **/.aider.conf.yml **/.aiderignore **/.kiro/** **/.amazonq/**
    **/.junie/** **/.augment/** **/.trae/** **/.qwen/** **/.opencode/** **/opencode.json **/opencode.jsonc
    **/.goosehints **/.zed/** **/.github/copilot-instructions.md **/.github/instructions/**
    **/.github/prompts/** **/.github/agents/** **/.copilot/** **/.vscode/mcp.json
    /etc/claude-code/** **/.config/opencode/** **/.config/goose/** **/.config/zed/**`,
  'code that interpreters load by themselves': `
    **/sitecustomize.py **/usercustomize.py **/site-packages/*.pth **/.pythonrc **/.Rprofile
    **/.irbrc **/.gdbinit **/.lldbinit **/node_modules/**`,
};

/** The one table, for every toolset. */
export const wellKnown: readonly WellKnownPlace[] = [
  ...rows('secret.read', secrets),
  ...rows('sys.persist', persistent),
];

function rows(
  capability: WellKnownPlace['capability'],
  table: Readonly<Record<string, string>>,
): readonly WellKnownPlace[] {
  return Object.entries(table).map(([what, places]) => {
    const except = exceptions[what];
    return {
      capability,
      what,
      places: list(places),
      ...(except === undefined ? {} : { except: list(except) }),
    };
  });
}

/** Places, with white space between. */
function list(text: string): readonly string[] {
  return text.split(/\s+/).filter((place) => place !== '');
}
