/** Not imported, because an import reads every export, and reading `WebSocket` loads an HTTP client that nothing here uses. */
export const { createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http')
