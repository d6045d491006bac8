/** Clean-up that must run however this process ends; whatever has finished removes its own entry. */
export const atExit = new Set<() => void>()

process.once('exit', () => {
  for (const end of atExit) end()
})
// `process.exit` runs the handlers above.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
