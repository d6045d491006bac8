import type { Logger } from '../../src/storage/engine.ts'

export const silent: Logger = { info() {}, warn() {}, error() {} }
