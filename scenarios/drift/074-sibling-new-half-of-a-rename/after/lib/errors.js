'use strict'

module.exports = {
  EIDER_ERR_BODY_TOO_LARGE: 'the body is too large',
  EIDER_ERR_PROMISE_NOT_FULFILLED: 'the promise was not settled',
  EIDER_ERR_LOG_INVALID: 'the logger is not valid',
  EIDER_ERR_HOOK_UNKNOWN: 'there is no such hook'
}
