/** What the starter policy calls the file that holds its schema. */
export const schemaFile = 'policy.schema.json';

/**
 * A first policy, commented: reads in the working folder run, changes ask, secrets and the system are out of reach. Its first
 * line tells an editor where its schema is: beside it, so that nothing is fetched.
 */
export function starterPolicy(): string {
  return `# yaml-language-server: $schema=./${schemaFile}
# What the tools of your agents may do. Check it with \`ambit check\`, look at it with \`ambit show\`.
#
# Every call carries capabilities: facts such as "writes this file". Rules say what happens to them:
#   pre_approved    the call runs
#   needs_approval  somebody is asked first
#   blocked         the call does not run, and nobody is asked
# The strictest rule that applies wins; the order of rules means nothing. A restriction (needs_approval,
# blocked) covers everything under its name, a permission (pre_approved) its own name alone.
version: 1

# For everything that no rule speaks about.
default: needs_approval

capabilities:
  # Looking at the working folder is fine. \`./\` is the folder of the run, \`~/\` your home.
  fs.read:
    - decision: pre_approved
      match: { path: ./** }
    - id: no-secrets
      decision: blocked
      match: { path: ["**/.env", "**/*.pem", "**/*.key", ~/.ssh/**, ~/.aws/**, ~/.netrc] }
      # A file that is unknown before the call (\`cat "$FILE"\`) might be one of these: a person is asked.
      undecided: needs_approval
      reason: credentials are not for agents
      instead: ask a person to do what needs the credential
      examples:
        match: [{ path: ./.env }, { path: ~/.ssh/id_ed25519 }]
        not_match: [{ path: ./env.md }]
  fs.list:
    - decision: pre_approved
      match: { path: ./** }

  # Changes ask; what git keeps is changed by git alone. \`by\` is the program that a command line runs.
  fs.write:
    - needs_approval
    - id: no-git-internals
      decision: blocked
      match: { path: "**/.git/**" }
      except: { by: git }
      undecided: needs_approval
      reason: the history of a repository is changed by git alone
  fs.delete: needs_approval

  # Out of reach.
  secret.read: blocked
  priv: blocked
  sys: blocked

  # What builds, tests, scripts and unknown programs do is unknown before they run.
  proc.exec.opaque: needs_approval

  # Programs and the network ask, each time, unless you say more here:
  # proc.exec:
  #   - decision: pre_approved
  #     match: { program: [ls, cat, git] }
  # net.connect:
  #   - decision: pre_approved
  #     match: { host: "**.example.com" }
  #     until: 2027-01-01T00:00:00Z

# Whose answers count. These are the defaults: an answer holds for the run, as far as the folder of the file.
grants:
  workers: false
  remember: run
  reach: folder
  unattended: true
`;
}
