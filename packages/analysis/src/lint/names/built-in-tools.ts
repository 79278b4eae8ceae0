/** What the built-in tools report, by full name. */
export const builtInTools: Readonly<Record<string, readonly string[]>> = {
  'filesystem.list_files': ['fs.list'],
  'filesystem.read_file': ['fs.read'],
  'filesystem.read_bytes': ['fs.read'],
  'filesystem.search_files': ['fs.list', 'fs.read'],
  'filesystem.write_file': ['fs.write'],
  'filesystem.edit_file': ['fs.read', 'fs.write'],
  'filesystem.copy_file': ['fs.read', 'fs.write'],
  'filesystem.move_file': ['fs.read', 'fs.write', 'fs.delete'],
  'filesystem.delete_file': ['fs.delete'],
  'delegation.worker_call': ['worker.call', 'data.share'],
  'delegation.worker_create': ['worker.create'],
  'toolset.start': ['code.load'],
  'http.fetch': ['net.connect', 'content.untrusted'],
  'shell.run': `proc.exec proc.exec.opaque proc.signal code.eval code.load env.set env.read fs.read fs.list
  fs.write fs.meta fs.delete secret.read net.connect net.listen vcs.push message.send priv.escalate
  sys.admin sys.persist`.split(/\s+/),
};
