/** The kinds of failure that formulas can meet. One table gives the cell's error, the sentence that a user reads and the next step. */

export interface KindOfFailure {
  /** The error in a formula's cell, if it is not `#N/A`. Excel carries a message with these two only. */
  excelError?: "#VALUE!";
  /** The failure in a word or two, to be read and counted: field "status" of =REGDATA.VALUE. Missing if a cell can't fail so. */
  status?: string;
  /** Says what happened. */
  sentence: string;
  /** Says what the user can do about it. */
  nextStep: string;
}

export const failureKinds = {
  "no-key": {
    status: "no key",
    sentence: "RegData is not connected.",
    nextStep: "Connect in the RegData pane. The formulas then ask the service.",
  },
  "storage-failed": {
    status: "no key",
    sentence: "Your saved connection can't be read.",
    nextStep: "Open the RegData pane and try again.",
  },
  "wrong-key": {
    status: "wrong key",
    sentence: "The service does not accept this API key.",
    nextStep: "It may be wrong or expired. Check it in the RegData pane, under Settings.",
  },
  "no-rights": {
    status: "no rights",
    sentence: "This API key does not give access to this.",
    nextStep: "Ask whoever manages your subscription.",
  },
  "outside-subscription": {
    status: "outside subscription",
    sentence: "This jurisdiction is outside your subscription.",
    nextStep: "Ask whoever manages your subscription to add it.",
  },
  "maybe-outside-subscription": {
    status: "maybe outside subscription",
    sentence: "The service sent nothing for this jurisdiction. It may be outside your subscription.",
    nextStep: "To find out, ask for it in a formula of its own.",
  },
  "unknown-jurisdiction": {
    status: "unknown jurisdiction",
    sentence: "The service knows no jurisdiction with this geoID or AHJ id.",
    nextStep: "Check the geoID and its leading zeros, or search for the name in the RegData pane.",
  },
  "not-a-geoid": {
    status: "unknown jurisdiction",
    sentence: "This is not a geoID.",
    nextStep: "Check the geoID and its leading zeros, or search for the name in the RegData pane.",
  },
  "not-a-jurisdiction": {
    status: "unknown jurisdiction",
    sentence: "This is not the code of a jurisdiction.",
    nextStep: "Check the code, or search for the name in the RegData pane.",
  },
  "unresolved-jurisdiction": {
    status: "unknown or outside subscription",
    sentence: "This jurisdiction is unknown or outside your subscription.",
    nextStep: "To find out which, ask for it in a formula of its own.",
  },
  "unknown-name": {
    sentence: "No jurisdiction of your subscription has this name.",
    nextStep: "Check its spelling and its state, or search for it in the RegData pane.",
  },
  "ambiguous-jurisdiction": {
    sentence: "Several jurisdictions have this name.",
    nextStep: 'Add the state, as in "Orange County, CA", or use the geoID.',
  },
  "unknown-type": {
    status: "unknown question",
    sentence: "The service knows no such question.",
    nextStep: "Search for it in the RegData pane, on Get data under Which questions.",
  },
  "unknown-collection": {
    sentence: "There is no collection with this name or id.",
    nextStep: "List yours with =REGDATA.COLLECTIONS().",
  },
  "ambiguous-name": {
    excelError: "#VALUE!",
    status: "ambiguous question",
    sentence: "Several have this name.",
    nextStep: "Use the id instead: =REGDATA.TYPES() and =REGDATA.COLLECTIONS() list them.",
  },
  "no-value": {
    status: "no value",
    sentence: "No value is recorded for this question here.",
    nextStep: "Nothing is wrong with your formula: the service has no answer on record.",
  },
  "invalid-argument": {
    excelError: "#VALUE!",
    status: "invalid argument",
    sentence: "One argument isn't valid.",
    nextStep: "Correct it. The help has examples.",
  },
  "nothing-found": {
    sentence: "Nothing was found.",
    nextStep: "Search for something else, or for fewer words.",
  },
  "not-asked": {
    status: "not asked",
    sentence: "A preview shows only answers that were fetched before.",
    nextStep: "Enter the formula to ask the service.",
  },
  "on-hold": {
    status: "on hold",
    sentence: "This workbook is on hold.",
    nextStep: "Release it in the RegData pane.",
  },
  "many-requests": {
    sentence: "This takes more requests than the add-in sends by itself.",
    nextStep:
      "Start it in the RegData pane: Get data, Which places, Filter by answers…. Then choose Retry errors under In this workbook.",
  },
  "script-missing": {
    sentence: "A part of the add-in could not be loaded.",
    nextStep: "Check the network, then open the workbook again.",
  },
  "invalid-request": {
    excelError: "#VALUE!",
    status: "invalid argument",
    sentence: "The service refused the request as invalid.",
    nextStep: "Check the geoIDs and question ids. If they are right, tell support.",
  },
  "invalid-address": {
    sentence: "A key can't be sent to this address.",
    nextStep: "Enter the full address from your service's documentation, beginning with https://.",
  },
  "not-found": {
    status: "not found",
    sentence: "The service did not find this, or you have no access to it.",
    nextStep: "Choose again from the list. If nothing is found at all, check the service address.",
  },
  "rate-limited": {
    status: "limit",
    sentence: "Your request limit is used up.",
    nextStep: "Once it has reset, choose Retry errors in the RegData pane, under In this workbook.",
  },
  unreachable: {
    status: "unreachable",
    sentence: "The service can't be reached.",
    nextStep: "Check the network and the service address.",
  },
  timeout: {
    status: "unreachable",
    sentence: "The service took too long to answer.",
    nextStep: "Try again later.",
  },
  "service-error": {
    status: "unreachable",
    sentence: "The service reported a failure.",
    nextStep: "Try again later. If it keeps happening, tell the service's support.",
  },
  "unexpected-answer": {
    status: "unreachable",
    sentence: "The answer is not what a regulatory data service sends.",
    nextStep: "Check the service address in the RegData pane.",
  },
  internal: {
    status: "internal error",
    sentence: "Something in the add-in went wrong.",
    nextStep: "Try again. If it happens again, send the details to the add-in's support.",
  },
  "too-large": {
    excelError: "#VALUE!",
    sentence:
      "The result is too large: a sheet has 1,048,576 rows and 16,384 columns, a formula gives 1,048,576 cells.",
    nextStep: "Choose fewer jurisdictions or questions.",
  },
  cancelled: {
    sentence: "Canceled.",
    nextStep: "You can start again at any time.",
  },
} as const satisfies Record<string, KindOfFailure>;
