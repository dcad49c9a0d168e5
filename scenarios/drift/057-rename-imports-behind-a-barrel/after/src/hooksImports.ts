export { useRef } from 'preact/hooks'
