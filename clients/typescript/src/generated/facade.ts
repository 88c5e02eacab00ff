// Generated from the contracts in functions/ by `npm run generate`: change those, not this file.

import { bind } from '../bind.ts';
import type { Client } from '../operation.ts';
import * as all from './operations.ts';

/** All operations by their object, for people who explore by typing a dot. Bundlers cannot drop a part of it. */
export function inventory(client: Client) {
  return {
    agents: {
      /** Add an agent. */
      add: bind(client, all.addAgent),
      /** Admit agent processes to a gateway. */
      admit: bind(client, all.admitAgents),
      /** Change an agent. */
      change: bind(client, all.changeAgent),
      /** Get an agent. */
      get: bind(client, all.getAgent),
      /** States of an agent in the last day. */
      states: bind(client, all.getAgentStates),
      /** History of an agent. */
      history: bind(client, all.listAgentHistory),
      /** List agents. */
      list: bind(client, all.listAgents),
      /** Remove an agent. */
      remove: bind(client, all.removeAgent),
      /** Report the state of a node. */
      report: bind(client, all.reportAgents),
      /** Upsert an agent. */
      upsert: bind(client, all.upsertAgent),
    },
    apiKeys: {
      /** Add an API key. */
      add: bind(client, all.addApiKey),
      /** Change the rate limit or the owners of an API key, or disable it. */
      change: bind(client, all.changeApiKey),
      /** List API keys. */
      list: bind(client, all.listApiKeys),
      /** Remove an API key. */
      remove: bind(client, all.removeApiKey),
      /** Rotate an API key. */
      rotate: bind(client, all.rotateApiKey),
      /** Rotate the calling API key. */
      rotateOwn: bind(client, all.rotateOwnApiKey),
    },
    enrolmentTokens: {
      /** Add an enrolment token. */
      add: bind(client, all.addEnrolmentToken),
      /** List enrolment tokens. */
      list: bind(client, all.listEnrolmentTokens),
      /** Remove an enrolment token. */
      remove: bind(client, all.removeEnrolmentToken),
    },
    nodes: {
      /** Add a node. */
      add: bind(client, all.addNode),
      /** Change a node. */
      change: bind(client, all.changeNode),
      /** Get a node. */
      get: bind(client, all.getNode),
      /** States of a node in the last day. */
      states: bind(client, all.getNodeStates),
      /** History of a node. */
      history: bind(client, all.listNodeHistory),
      /** List nodes. */
      list: bind(client, all.listNodes),
      /** Remove a node. */
      remove: bind(client, all.removeNode),
      /** Upsert a node. */
      upsert: bind(client, all.upsertNode),
    },
    roleBindings: {
      /** Add a role binding. */
      add: bind(client, all.addRoleBinding),
      /** Change a role binding. */
      change: bind(client, all.changeRoleBinding),
      /** Get a role binding. */
      get: bind(client, all.getRoleBinding),
      /** List role bindings. */
      list: bind(client, all.listRoleBindings),
      /** Preview the role of an identity. */
      preview: bind(client, all.previewRoleBindings),
      /** Remove a role binding. */
      remove: bind(client, all.removeRoleBinding),
    },
    savedFilters: {
      /** Save a filter of a list. */
      add: bind(client, all.addSavedFilter),
      /** Change or pin a saved filter. */
      change: bind(client, all.changeSavedFilter),
      /** List saved filters. */
      list: bind(client, all.listSavedFilters),
      /** Remove a saved filter. */
      remove: bind(client, all.removeSavedFilter),
    },
    services: {
      /** Add a service. */
      add: bind(client, all.addService),
      /** Change a service. */
      change: bind(client, all.changeService),
      /** Get a service. */
      get: bind(client, all.getService),
      /** History of a service. */
      history: bind(client, all.listServiceHistory),
      /** List service types in use. */
      listTypes: bind(client, all.listServiceTypes),
      /** List services. */
      list: bind(client, all.listServices),
      /** Remove a service. */
      remove: bind(client, all.removeService),
      /** Upsert a service. */
      upsert: bind(client, all.upsertService),
    },
    sessions: {
      /** Log in. */
      add: bind(client, all.addSession),
      /** End a session. */
      end: bind(client, all.endSession),
      /** List active sessions. */
      list: bind(client, all.listSessions),
      /** Log out. */
      remove: bind(client, all.removeSession),
    },
    silences: {
      /** Silence objects for some time. */
      add: bind(client, all.addSilence),
      /** List silences. */
      list: bind(client, all.listSilences),
      /** End a silence. */
      remove: bind(client, all.removeSilence),
    },
    users: {
      /** Add a user. */
      add: bind(client, all.addUser),
      /** Change a user. */
      change: bind(client, all.changeUser),
      /** End all sessions of a user. */
      endSessions: bind(client, all.endUserSessions),
      /** Invite a user again. */
      invite: bind(client, all.inviteUser),
      /** List users. */
      list: bind(client, all.listUsers),
      /** Remove a user. */
      remove: bind(client, all.removeUser),
    },
    deviceAuthorizations: {
      /** Read, approve or deny the request of a device. */
      answer: bind(client, all.answerDevice),
      /** Ask for a session on a device without a browser. */
      add: bind(client, all.authorizeDevice),
    },
    reconciliations: {
      /** Cancel a reconciliation. */
      cancel: bind(client, all.cancelReconciliation),
      /** Get the progress of a reconciliation. */
      get: bind(client, all.getReconciliation),
      /** Reconcile a part of the inventory. */
      apply: bind(client, all.reconcile),
    },
    cleanup: {
      /** Remove silent ephemeral nodes. */
      run: bind(client, all.cleanUp),
    },
    groups: {
      /** Count objects by a property. */
      count: bind(client, all.countGroups),
    },
    discovery: {
      /** Discover targets for Prometheus. */
      prometheus: bind(client, all.discoverTargets),
    },
    enrolment: {
      /** Exchange an enrolment token for a key. */
      enrol: bind(client, all.enrolNode),
    },
    inventory: {
      /** Export the inventory. */
      export: bind(client, all.exportInventory),
      /** Import objects. */
      import: bind(client, all.importInventory),
    },
    server: {
      /** Get the caller. */
      getCaller: bind(client, all.getCaller),
      /** Check whether the server is ready. */
      getReadiness: bind(client, all.getReadiness),
      /** Get the version of the server. */
      getVersion: bind(client, all.getVersion),
    },
    clusters: {
      /** States of a cluster in the last day. */
      states: bind(client, all.getClusterStates),
      /** List clusters. */
      list: bind(client, all.listClusters),
    },
    metrics: {
      /** Get metrics for Prometheus. */
      get: bind(client, all.getMetrics),
    },
    changes: {
      /** Get an object as of a time. */
      asOf: bind(client, all.getObjectAsOf),
      /** List changes. */
      list: bind(client, all.listChanges),
    },
    summary: {
      /** Get totals, findings and recent changes. */
      get: bind(client, all.getSummary),
    },
    audit: {
      /** Read the audit log. */
      list: bind(client, all.listAudit),
    },
    logins: {
      /** List the ways to log in. */
      methods: bind(client, all.listLogInMethods),
      /** Log in as a user or a program. */
      add: bind(client, all.logIn),
    },
    removals: {
      /** List removals. */
      list: bind(client, all.listRemoved),
      /** Restore a removal. */
      restore: bind(client, all.restoreRemoved),
    },
    batch: {
      /** Run a batch of operations. */
      run: bind(client, all.runBatch),
    },
    reports: {
      /** Report for many hosts. */
      take: bind(client, all.takeReports),
    },
  };
}
