/** What `ambit init` writes. */
export const starterPolicy = `# What the tools of your workers may do. Check it: ambit check policy.yaml
# See it as a table: ambit show --policy policy.yaml
version: 1

# For whatever no rule below speaks about: pre_approved, needs_approval or blocked.
default: needs_approval

capabilities:
  # A permission speaks about its exact name: files inside the folders that a worker was given, not outside of them.
  fs.read: pre_approved
  fs.list: pre_approved

  # Writing asks, because of the default. To let drafts pass without asking, take the # away:
  # fs.write:
  #   - decision: pre_approved
  #     match: { path: ./drafts/** }

  # A restriction covers everything under its name. It always wins.
  secret.read:
    decision: blocked
    reason: credentials are not for a model to read
    instead: ask for what you need, and somebody fetches it
  sys.persist:
    decision: needs_approval
    answer: person
    reason: this outlives the run

# Whose answers count, and how far: these are the defaults.
grants:
  workers: false       # a worker's own \`approvals:\` answer nothing
  remember: run        # "for this run" may be answered, and is forgotten afterwards
  reach: folder
  unattended: true     # --approve-all answers questions, other than those for a person
`;
