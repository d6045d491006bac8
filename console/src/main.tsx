import 'virtual:theme-variables.css'
import './design/mantine.css'
import './design/tokens.css'
import './design/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { session } from './api/session.ts'
import { App } from './app.tsx'
import { startI18n } from './i18n/i18n.ts'

void session.refresh()
await startI18n()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
