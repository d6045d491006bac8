import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './button.tsx'
import styles from './field.module.css'
import { Icons } from './icons.tsx'

interface FieldText {
  readonly label?: ReactNode
  readonly description?: ReactNode
  /** A sentence; `true` only marks the field. */
  readonly error?: ReactNode
}

interface FieldLook extends FieldText {
  readonly size?: 'sm' | 'lg'
  /** Of the whole field with its label. */
  readonly className?: string | undefined
}

type Control<Tag extends 'input' | 'select' | 'textarea'> = FieldLook &
  Omit<ComponentProps<Tag>, keyof FieldLook | 'children'> & { readonly 'data-autofocus'?: boolean | undefined }

/** Ties a control to its label, its hint and its error; `rest` is for the control itself. */
function useField<Rest extends { id?: string | undefined; 'aria-describedby'?: string | undefined }>(
  props: FieldLook & Rest,
) {
  const { label, description, error, size = 'sm', className, ...rest } = props
  const ownId = useId()
  const id = rest.id ?? ownId
  const sentence = typeof error === 'boolean' ? null : error
  const describedBy = [sentence && `${id}-error`, description && `${id}-hint`, rest['aria-describedby']]
  return {
    frame: { id, label, description, error: sentence, size, className },
    control: {
      ...rest,
      id,
      'aria-invalid': error ? true : undefined,
      'aria-describedby': describedBy.filter(Boolean).join(' ') || undefined,
    },
  }
}

interface FrameProps extends FieldLook {
  readonly id: string
  readonly children: ReactNode
}

function Frame({ id, label, description, error, size, className = '', children }: FrameProps) {
  return (
    <div className={`${styles.field} ${className}`} data-size={size}>
      {label && (
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
      )}
      <FieldHint id={id} description={description} />
      {children}
      <FieldError id={id} error={error} />
    </div>
  )
}

const FieldHint = ({ id, description }: { id: string; description: ReactNode }) =>
  description ? (
    <p id={`${id}-hint`} className={styles.hint}>
      {description}
    </p>
  ) : null

const FieldError = ({ id, error }: { id: string; error: ReactNode }) =>
  error ? (
    <p id={`${id}-error`} className={styles.error}>
      {error}
    </p>
  ) : null

export interface TextInputProps extends Control<'input'> {
  /** Inside the field, before its text. */
  readonly leftSection?: ReactNode
  /** Inside the field, behind its text. */
  readonly rightSection?: ReactNode
  /** In the row of the field, after it. */
  readonly after?: ReactNode
  readonly inputClassName?: string | undefined
}

export function TextInput({ leftSection, rightSection, after, inputClassName = '', ...props }: TextInputProps) {
  const { frame, control } = useField(props)
  const box = (
    <div className={styles.box} data-left={leftSection && true} data-right={rightSection && true}>
      {leftSection && <span className={styles.left}>{leftSection}</span>}
      <input {...control} className={`${styles.control} ${inputClassName}`} />
      {rightSection && <span className={styles.right}>{rightSection}</span>}
      {control.type === 'date' && (
        <span className={`${styles.right} ${styles.calendar}`}>
          <Icons.calendar size={16} />
        </span>
      )}
    </div>
  )
  return (
    <Frame {...frame}>
      {after ? (
        <div className={styles.row}>
          {box}
          {after}
        </div>
      ) : (
        box
      )}
    </Frame>
  )
}

type PasswordFieldProps = Omit<TextInputProps, 'type' | 'rightSection'>

export function PasswordField(props: PasswordFieldProps) {
  const { t } = useTranslation()
  const [isShown, setShown] = useState(false)
  return (
    <TextInput
      required
      {...props}
      type={isShown ? 'text' : 'password'}
      rightSection={
        <IconButton
          className={styles.show}
          aria-label={t('common.showKey')}
          aria-pressed={isShown}
          tabIndex={-1}
          // The focus stays in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <Icons.hidden /> : <Icons.shown />}
        </IconButton>
      }
    />
  )
}

interface TextareaProps extends Control<'textarea'> {
  /** Grows with its text, up to `maxRows`. */
  readonly minRows?: number
  readonly maxRows?: number
  readonly inputClassName?: string | undefined
}

export function Textarea({ minRows, maxRows, inputClassName = '', ...props }: TextareaProps) {
  const { frame, control } = useField(props)
  const rows = { '--min-rows': minRows, '--max-rows': maxRows ?? 1000 }
  return (
    <Frame {...frame}>
      <div className={styles.box}>
        <textarea
          rows={minRows}
          {...control}
          className={`${styles.control} ${inputClassName}`}
          {...(minRows && { 'data-grows': true, style: rows as object })}
        />
      </div>
    </Frame>
  )
}

interface SelectProps extends Control<'select'> {
  readonly data: readonly (string | { readonly value: string; readonly label: string })[]
}

export function Select({ data, ...props }: SelectProps) {
  const { frame, control } = useField(props)
  return (
    <Frame {...frame}>
      <div className={styles.box} data-right>
        <select {...control} className={styles.control}>
          {data.map((option) => {
            const { value, label } = typeof option === 'string' ? { value: option, label: option } : option
            return (
              <option key={value} value={value}>
                {label}
              </option>
            )
          })}
        </select>
        <span className={`${styles.right} ${styles.arrows}`}>
          <Icons.sort size={16} />
        </span>
      </div>
    </Frame>
  )
}

type CheckboxProps = Omit<FieldText, 'error'> & ComponentProps<'input'>

export function Checkbox({ label, description, ...props }: CheckboxProps) {
  const id = useId()
  const box = (
    <input
      id={id}
      aria-describedby={description ? `${id}-hint` : undefined}
      {...props}
      type="checkbox"
      className={styles.check}
    />
  )
  if (!label) return box
  return (
    <div className={styles.checked}>
      {box}
      <div>
        <label htmlFor={id}>{label}</label>
        <FieldHint id={id} description={description} />
      </div>
    </div>
  )
}

/** Checkboxes that answer one question together. */
export function CheckboxGroup({ label, description, error, children }: FieldText & { readonly children: ReactNode }) {
  const id = useId()
  const describedBy = [error && `${id}-error`, description && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <fieldset className={styles.group} aria-describedby={describedBy || undefined}>
      <legend className={styles.label}>{label}</legend>
      <FieldHint id={id} description={description} />
      {children}
      <FieldError id={id} error={error} />
    </fieldset>
  )
}

/** The list with the value added, or taken out if it was there. */
export const toggled = <T,>(values: readonly T[], value: T): T[] =>
  values.includes(value) ? values.filter((other) => other !== value) : [...values, value]
