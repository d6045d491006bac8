import '../design/tokens.css'
import '../design/base.css'
import '../design/skeleton.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { reloadForLinks, takeFromFragment } from '../api/link-fragment.ts'
import { startI18n } from '../i18n/i18n.ts'
import { loadOperatorWords } from '../i18n/operator/words.ts'
import { operatorSession } from './api/session.ts'
import { OperatorApp } from './operator-app.tsx'

// First, so that the token stays neither in the address bar nor in the history.
const linkToken = location.pathname === '/sign-in' ? takeFromFragment('token') : null
reloadForLinks('token')
if (linkToken === null) void operatorSession.refresh()
await startI18n(loadOperatorWords)
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <OperatorApp linkToken={linkToken} />
  </StrictMode>,
)
